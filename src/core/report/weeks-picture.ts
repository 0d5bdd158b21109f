import { scaleLinear } from 'd3-scale';
import { formatNs } from '../kernel/index.js';
import { markup, type Markup } from './markup.js';
import { at, bottomAxis, figure, leftAxis, picture, pictureWidth, thinned } from './picture.js';
import { predictedWords } from './summary-evidence.js';
import type { SummaryWeek } from './summary.js';

const [left, right, top, bottom] = [64, pictureWidth - 10, 12, 132];

/** Predicted saving on the boot path, a column a week; the range as a line through it. */
export function weeksPicture(weeks: readonly SummaryWeek[]): Markup {
  if (weeks.length < 2 || weeks.every((week) => week.series === 0)) return { html: '' };
  const y = scaleLinear()
    .domain([Math.min(0, ...weeks.map((w) => w.saved.min)), Math.max(1, ...weeks.map((w) => w.saved.max))])
    .range([bottom, top])
    .nice(3);
  const step = (right - left) / weeks.length;
  const wide = Math.max(1, Math.min(36, step * 0.7));
  const columns = weeks.map(({ monday, series, saved }, index) => {
    const middle = left + (index + 0.5) * step;
    const [from, to] = [y(Math.max(0, saved.likely)), y(Math.min(0, saved.likely))];
    const words = `week of ${monday}: ${series} series, ${predictedWords({ saved })}`;
    return markup`<rect class="after" x="${at(middle - wide / 2)}" y="${at(from)}" width="${at(wide)}" height="${at(Math.max(series > 0 ? 1 : 0, to - from))}"><title>${words}</title></rect>${
      series === 0
        ? undefined
        : markup`<line class="zero" x1="${at(middle)}" x2="${at(middle)}" y1="${at(y(saved.max))}" y2="${at(y(saved.min))}"/>`
    }\n`;
  });
  const names = weeks.map(({ monday }, index) => ({ at: left + (index + 0.5) * step, name: monday }));
  const ticks = y.ticks(3).map((value) => ({ at: y(value), name: formatNs(value, 3) }));
  return figure(
    picture(158, 'Predicted saving on the boot path, by week', [
      leftAxis(ticks, [left, right]),
      ...columns,
      bottomAxis(thinned(names, 78), bottom, [left, right]),
    ]),
    'Predicted saving on the boot path, by week; the thin line is its range. Other machines each: nobody gains the sum.',
  );
}
