import type { Estimate } from '../estimate/index.js';
import { formatNs } from '../kernel/index.js';
import { curvePicture } from './curve-picture.js';
import { markup, type Markup } from './markup.js';
import { page, table } from './page.js';

/** What one call instead of another is predicted to cost and to save, as a page in one file. */
export function estimateToHtml(estimate: Estimate, names: { readonly before: string; readonly after: string }): string {
  return page(
    `${names.before} to ${names.after}`,
    markup`<p>Predicted by simulation, not measured.</p>\n${estimateParts(estimate)}`,
  );
}

/** The tables and the picture of one estimate, as parts of a page. */
export function estimateParts(estimate: Estimate): Markup {
  const { before, after, saved, curve, devices, alternatives } = estimate;
  const three = (cost: { min: number; likely: number; max: number }): string[] =>
    [cost.min, cost.likely, cost.max].map((value) => formatNs(value, 3));
  const costs = [
    ['before', ...three(before), count(before.polls)],
    ['after', ...three(after), count(after.polls)],
    ['saved', ...three(saved), ''],
  ];
  const assumptions = estimate.assumptions.map(
    ({ name, value, from }) => markup`<li>${name}: ${value} <span class="soft">(${from})</span></li>\n`,
  );
  return markup`${table(['', 'least', 'likely', 'most', 'looks'], costs, ['', 'n', 'n', 'n', 'n'])}
${curvePicture(curve)}<details${assumptions.length > 8 ? undefined : { html: ' open' }}><summary>What was assumed</summary>
<ul>
${assumptions}</ul>
</details>
${section(
  'Other policies on the same draws',
  table(
    ['policy', 'time', 'looks'],
    alternatives.map((other) => [other.policy, formatNs(other.likely, 3), count(other.polls)]),
    ['words', 'n', 'n'],
  ),
)}${section(
    'Many slow devices, polled side by side',
    table(
      ['devices', 'looks before', 'looks after', 'share of a CPU'],
      devices.map((d) => [
        count(d.count),
        count(d.looksBefore),
        count(d.looks),
        `${d.cpuPercent.min} to ${d.cpuPercent.max} %`,
      ]),
      ['n', 'n', 'n', 'n'],
    ),
  )}`;
}

function section(title: string, body: Markup): Markup {
  return body.html === '' ? body : markup`<h3>${title}</h3>\n${body}\n`;
}

/** 80000 as 80,000. */
function count(value: number): string {
  const [whole = '', part] = String(Math.round(value * 10) / 10).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}
