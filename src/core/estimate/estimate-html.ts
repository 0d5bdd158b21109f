import { formatNs, formatSpan, type Ns } from '../kernel/index.js';
import type { CurvePoint, Estimate } from './estimate.js';
import { curveInWords } from './estimate-text.js';

/** An estimate of two calls as one HTML file: no scripts, nothing loaded from elsewhere. */
export function estimateToHtml(estimate: Estimate, names: { readonly before: string; readonly after: string }): string {
  const { before, after, saved } = estimate;
  const title = `${names.before} to ${names.after}`;
  const assumptions = estimate.assumptions
    .map((a) => `<li>${escape(a.name)} (${a.from}): ${escape(String(a.value))}</li>`)
    .join('\n');
  const others = estimate.alternatives.map((a) => cells([a.policy, formatNs(a.likely, 3), String(a.polls)])).join('\n');
  const devices = estimate.devices
    .map((d) => cells([String(d.count), String(d.looks), `${d.cpuPercent.min} to ${d.cpuPercent.max} %`]))
    .join('\n');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2em 1em .2em 0; border-bottom: 1px solid #ccc; }
svg { width: 100%; height: auto; } figcaption { color: #444; }
</style>
</head>
<body>
<h1><code>${escape(names.before)}</code> to <code>${escape(names.after)}</code></h1>
<p>Predicted by simulation, not measured.</p>
<table>
<tr><th></th><th>least</th><th>likely</th><th>most</th><th>looks</th></tr>
${cells(['before', formatNs(before.min, 3), formatNs(before.likely, 3), formatNs(before.max, 3), String(before.polls)])}
${cells(['after', formatNs(after.min, 3), formatNs(after.likely, 3), formatNs(after.max, 3), String(after.polls)])}
${cells(['saved', formatNs(saved.min, 3), formatNs(saved.likely, 3), formatNs(saved.max, 3), ''])}
</table>
<h2>Assumptions</h2>
<ul>
${assumptions}
</ul>
${estimate.curve.length > 0 ? figure(estimate.curve) : ''}
${others === '' ? '' : `<h2>Other policies</h2>\n<table>\n${cells(['policy', 'time', 'looks'])}\n${others}\n</table>`}
${devices === '' ? '' : `<h2>Many slow devices</h2>\n<table>\n${cells(['devices', 'looks', 'CPU'])}\n${devices}\n</table>`}
</body>
</html>
`;
}

/** The saving over the ready time, with its spread, as inline SVG. */
function figure(curve: readonly CurvePoint[]): string {
  const [wide, high, left, foot] = [640, 260, 80, 30];
  const lastReady = Math.max(1, ...curve.map((p) => p.ready));
  const most = Math.max(1, ...curve.map((p) => p.saved.max));
  const least = Math.min(0, ...curve.map((p) => p.saved.min));
  const x = (ready: Ns): string => (left + (ready / lastReady) * (wide - left - 10)).toFixed(1);
  const y = (saved: Ns): string => (10 + ((most - saved) / (most - least)) * (high - foot - 10)).toFixed(1);
  const upper = curve.map((p) => `${x(p.ready)},${y(p.saved.max)}`);
  const lower = [...curve].reverse().map((p) => `${x(p.ready)},${y(p.saved.min)}`);
  const dots = curve
    .map((p) => {
      const label = `ready after ${formatNs(p.ready, 3)}: saves ${formatSpan(p.saved, 3)}`;
      return `<circle cx="${x(p.ready)}" cy="${y((p.saved.min + p.saved.max) / 2)}" r="3"><title>${escape(label)}</title></circle>`;
    })
    .join('');
  const words = curveInWords(curve);
  return `<figure>
<svg viewBox="0 0 ${wide} ${high}" role="img" aria-label="${escape(words)}">
<line x1="${left}" y1="${y(0)}" x2="${wide - 10}" y2="${y(0)}" stroke="#888"/>
<polygon points="${[...upper, ...lower].join(' ')}" fill="#9bc4e2"/>
<g fill="#1b4f72">${dots}</g>
<g font-size="12" fill="#222"><text x="0" y="${y(most)}" dy="10">${formatNs(most, 3)}</text><text x="0" y="${y(0)}">0</text>
<text x="${left}" y="${high - 8}">ready at once</text>
<text x="${wide - 10}" y="${high - 8}" text-anchor="end">after ${formatNs(lastReady, 3)}</text></g>
</svg>
<figcaption>What is saved, by the time the device needs: ${escape(words)}</figcaption>
</figure>`;
}

function cells(values: readonly string[]): string {
  return `<tr>${values.map((value) => `<td>${escape(value)}</td>`).join('')}</tr>`;
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
