import { scaleLinear } from 'd3-scale';
import type { Ns } from '../kernel/index.js';
import { formatTime, median } from '../evidence/index.js';
import { markup, type Markup } from './markup.js';
import { at, bottomAxis, figure, picture, pictureWidth, thinned } from './picture.js';

const [left, right] = [64, pictureWidth - 12];
const rowHeight = 40;
/** More runs than these are drawn as a histogram: dots would be one blot. */
const mostDots = 60;

/** Runs before and after on one axis: a dot a run, or columns where there are many; a line through each median. */
export function runsPicture(before: readonly Ns[], after: readonly Ns[]): Markup {
  const all = [...before, ...after];
  if (all.length === 0) return { html: '' };
  const [least, most] = ends(all);
  const x = scaleLinear().domain([least, most]).range([left, right]).nice(4);
  const foot = 12 + 2 * rowHeight;
  const ticks = x.ticks(4).map((value) => ({ at: x(value), name: value === 0 ? '0' : formatTime(value) }));
  const words = `before: ${countWords(before)}; after: ${countWords(after)}`;
  return figure(
    picture(foot + 26, words, [
      row('before', before, 12, x),
      row('after', after, 12 + rowHeight, x),
      bottomAxis(thinned(ticks, 76), foot, [left, right]),
    ]),
    `Measured, ${words}. The line through each row is its median.`,
  );
}

function countWords(values: readonly Ns[]): string {
  if (values.length === 0) return 'none';
  return `${values.length} ${values.length === 1 ? 'run' : 'runs'}, median ${formatTime(median(values))}`;
}

function ends(values: readonly Ns[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least === most ? [least * 0.9, most * 1.1 + 1] : [least, most];
}

function row(side: 'before' | 'after', values: readonly Ns[], y: number, x: (value: number) => number): Markup {
  const name = markup`<text x="0" y="${y + 20}">${side}</text>\n`;
  if (values.length === 0) return name;
  const shapes = values.length > mostDots ? columns(side, values, y, x) : dots(side, values, y, x);
  const middle = at(x(median(values)));
  return markup`${name}${shapes}<line class="init" x1="${middle}" x2="${middle}" y1="${y}" y2="${y + rowHeight - 8}"/>\n`;
}

/** Equal runs stand beside each other in height, so that each is seen. */
function dots(side: string, values: readonly Ns[], y: number, x: (value: number) => number): Markup[] {
  const taken = new Map<number, number>();
  return [...values]
    .sort((a, b) => a - b)
    .map((value) => {
      const column = Math.round(x(value) / 4);
      const level = taken.get(column) ?? 0;
      taken.set(column, level + 1);
      const cy = y + 16 + (((level % 2 === 0 ? -1 : 1) * Math.ceil(level / 2) * 4) % 16);
      return markup`<circle class="${side}" cx="${at(x(value))}" cy="${at(cy)}" r="3.5" fill-opacity="0.75"><title>${formatTime(value)}</title></circle>\n`;
    });
}

function columns(side: string, values: readonly Ns[], y: number, x: (value: number) => number): Markup[] {
  const width = 6;
  const bins = new Map<number, number>();
  for (const value of values) {
    const bin = Math.floor((x(value) - left) / width);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  const most = Math.max(...bins.values());
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, count]) => {
      const high = Math.max(1, (count / most) * (rowHeight - 10));
      return markup`<rect class="${side}" x="${at(left + bin * width)}" y="${at(y + rowHeight - 8 - high)}" width="${width - 1}" height="${at(high)}"><title>${count}</title></rect>\n`;
    });
}
