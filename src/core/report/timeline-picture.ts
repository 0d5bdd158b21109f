import { scaleLinear } from 'd3-scale';
import { formatTime, type Timeline } from '../evidence/index.js';
import { markup, type Markup } from './markup.js';
import { at, bottomAxis, figure, picture, pictureWidth, thinned } from './picture.js';

const row = 17;
const most = 50;
const [left, right] = [6, pictureWidth - 6];

/** The longest calls of a boot over its time; a bar's colour is whether the boot waited for it. */
export function timelinePicture(timeline: Timeline): Markup {
  const shown = timeline.entries
    .filter((e) => e.start !== undefined && e.end !== undefined)
    .sort((a, b) => b.took - a.took)
    .slice(0, most)
    .sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || (a.name < b.name ? -1 : 1));
  if (shown.length === 0) return { html: '' };
  const from = Math.min(...shown.map((e) => e.start ?? 0));
  const to = Math.max(...shown.map((e) => e.end ?? 0), timeline.init ?? 0, from + 1);
  const x = scaleLinear().domain([from, to]).range([left, right]);
  const foot = shown.length * row + 4;
  const bars = shown.map((entry, index) => {
    const [start, end] = [x(entry.start ?? 0), x(entry.end ?? 0)];
    const wide = Math.max(1.5, end - start);
    // A name takes at most seven units a letter: it stands on the side with more room, cut to what is there.
    const rooms = { right: pictureWidth - (start + wide + 4), left: start - 4 };
    const rightward = rooms.right >= rooms.left;
    const letters = Math.floor(Math.max(rooms.right, rooms.left) / 7);
    const took = ` ${formatTime(entry.took)}`;
    const words = cut(entry.name, Math.min(40, letters - took.length)) + took;
    const place = rightward ? start + wide + 4 : start - 4;
    const y = index * row;
    return markup`<rect class="${entry.path}" x="${at(start)}" y="${y + 2}" width="${at(wide)}" height="${row - 5}"><title>${entry.name}: ${formatTime(entry.took)}, ${entry.path === 'unknown' ? 'unknown whether on' : entry.path} the boot path</title></rect><text x="${at(place)}" y="${y + 13}" text-anchor="${rightward ? 'start' : 'end'}">${words}</text>\n`;
  });
  const init =
    timeline.init === undefined
      ? undefined
      : markup`<line class="init" x1="${at(x(timeline.init))}" x2="${at(x(timeline.init))}" y1="0" y2="${foot}"><title>init starts</title></line>\n`;
  const ticks = x.ticks(5).map((value) => ({ at: x(value), name: formatTime(value) }));
  return figure(
    picture(foot + 24, `The ${shown.length} longest calls over the time of the boot`, [
      ...(init === undefined ? [] : [init]),
      ...bars,
      bottomAxis(thinned(ticks, 62), foot, [left, right]),
    ]),
    `The ${shown.length} longest calls over the time of the boot. Red: the boot waited for it; grey: it did not; yellow: unknown.${timeline.init === undefined ? '' : ' Broken line: init starts.'}`,
  );
}

function cut(name: string, letters: number): string {
  return name.length > letters ? `${name.slice(0, Math.max(1, letters - 1))}…` : name;
}
