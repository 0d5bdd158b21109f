import { scaleLinear } from 'd3-scale';
import { markup, type Markup } from './markup.js';
import { at, bottomAxis, figure, leftAxis, picture, pictureWidth, thinned } from './picture.js';

const [left, right, top, bottom] = [28, pictureWidth - 10, 12, 110];

/** Replies a month as columns; months without one stand empty. */
export function monthsPicture(months: readonly { readonly month: string; readonly replies: number }[]): Markup {
  if (months.length < 2) return { html: '' };
  const most = Math.max(1, ...months.map((one) => one.replies));
  const y = scaleLinear().domain([0, most]).range([bottom, top]);
  const step = (right - left) / months.length;
  const wide = Math.max(1, Math.min(36, step * 0.7));
  const columns = months.map(({ month, replies }, index) => {
    const x = left + (index + 0.5) * step - wide / 2;
    return markup`<rect class="after" x="${at(x)}" y="${at(y(replies))}" width="${at(wide)}" height="${at(bottom - y(replies))}"><title>${month}: ${replies}</title></rect>\n`;
  });
  const names = months.map(({ month }, index) => ({ at: left + (index + 0.5) * step, name: month }));
  const ticks = y
    .ticks(3)
    .filter(Number.isInteger)
    .map((value) => ({ at: y(value), name: String(value) }));
  return figure(
    picture(136, 'Replies by month', [
      leftAxis(ticks, [left, right]),
      ...columns,
      bottomAxis(thinned(names, 62), bottom, [left, right]),
    ]),
    'Replies by month.',
  );
}
