import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { area, line } from 'd3-shape';
import { curveInWords, type CurvePoint } from '../estimate/index.js';
import { formatNs, formatSpan, type Ns } from '../kernel/index.js';
import { markup, type Markup } from './markup.js';
import { at, bottomAxis, figure, leftAxis, picture, pictureWidth, thinned } from './picture.js';

const [left, right, top, bottom] = [64, pictureWidth - 10, 12, 178];

/** What is saved over the time that the device needs: the spread as a band, its middle as a line. */
export function curvePicture(curve: readonly CurvePoint[]): Markup {
  const points = [...curve].sort((a, b) => a.ready - b.ready);
  if (points.length < 2) return { html: '' };
  const x = readyScale(points);
  const y = scaleLinear()
    .domain([Math.min(0, ...points.map((p) => p.saved.min)), Math.max(1, ...points.map((p) => p.saved.max))])
    .range([bottom, top])
    .nice(4);
  const px = (p: CurvePoint): number => x.to(p.ready);
  const band =
    area<CurvePoint>(
      px,
      (p) => y(p.saved.min),
      (p) => y(p.saved.max),
    )(points) ?? '';
  const middle = line<CurvePoint>(px, (p) => y((p.saved.min + p.saved.max) / 2))(points) ?? '';
  const dots = points.map(
    (p) =>
      markup`<circle class="after" cx="${at(px(p))}" cy="${at(y((p.saved.min + p.saved.max) / 2))}" r="3"><title>ready after ${formatNs(p.ready, 3)}: saves ${formatSpan(p.saved, 3)}</title></circle>\n`,
  );
  const words = curveInWords(points);
  const names = y.ticks(4).map((value) => ({ at: y(value), name: formatNs(value, 3) }));
  return figure(
    picture(214, words, [
      leftAxis(names, [left, right]),
      markup`<path class="band" d="${rounded(band)}"/>\n<path class="middle" d="${rounded(middle)}"/>\n`,
      ...dots,
      bottomAxis(x.ticks, bottom, [left, right]),
      markup`<text x="${right}" y="210" text-anchor="end">the device is ready after</text>\n`,
    ]),
    `Predicted saving by the time that the device needs. ${words.charAt(0).toUpperCase()}${words.slice(1)}`,
  );
}

type ReadyScale = { readonly to: (ready: Ns) => number; readonly ticks: readonly { at: number; name: string }[] };

/** Ready times spread over decades stand on a logarithmic axis; "at once" is its left end. */
function readyScale(points: readonly CurvePoint[]): ReadyScale {
  const ready = points.map((p) => p.ready);
  const most = Math.max(1, ...ready);
  const least = Math.min(...ready.filter((value) => value > 0), most);
  const wide = most / least >= 30;
  const scale: ScaleContinuousNumeric<number, number> = wide
    ? scaleLog()
        .domain([least, most])
        .range([left + 22, right])
    : scaleLinear().domain([0, most]).range([left, right]);
  const values = wide ? decades(least, most) : scale.ticks(4);
  const ticks = values.map((value) => ({ at: scale(value), name: formatNs(value, 3) }));
  const zero = wide && ready.includes(0) ? [{ at: left, name: '0' }] : [];
  return { to: (value) => (wide && value <= 0 ? left : scale(value)), ticks: thinned([...zero, ...ticks], 52) };
}

function decades(least: number, most: number): number[] {
  const found: number[] = [];
  for (let value = 10 ** Math.ceil(Math.log10(least)); value <= most; value *= 10) found.push(value);
  return found;
}

/** A path in tenths of a unit: the rest is noise, and the same on every machine. */
export function rounded(path: string): string {
  return path.replace(/-?\d{1,9}(?:\.\d{1,20})?(?:e-?\d{1,3})?/g, (number) => at(Number(number)));
}
