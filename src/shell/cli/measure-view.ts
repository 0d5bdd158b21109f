import { formatTime, summarise, type Measurement } from '../../core/evidence/index.js';
import { escapeHtml, htmlPage } from './html-page.js';
import { plain, right } from './terminal-text.js';

const columns = 60;

/** Each measurement with a small plot (x before, + after, * both), and the verdict on the last one, which is the boot's own. */
export function measureText(found: readonly Measurement[]): string {
  const parts = found.map((m) =>
    [`${plain(m.what, 100)}`, `  from ${plain(m.anchor, 100)}`, ...sides(m), `  ${plot(m)}`, `  ${m.verdict}`].join(
      '\n',
    ),
  );
  return `${parts.join('\n\n')}\n\n${summary(found)}\n`;
}

function sides(m: Measurement): string[] {
  return (['before', 'after'] as const).map((side) => {
    const s = summarise(m[side]);
    const spread =
      s.n > 1
        ? `, mean ${formatTime(s.mean)}, sd ${formatTime(s.sd)}, ${formatTime(s.min)} .. ${formatTime(s.max)}`
        : '';
    return `  ${right(side, 6)} ${side === 'before' ? 'x' : '+'}  n=${String(s.n)}  median ${formatTime(s.median)}${spread}`;
  });
}

/** One line from the least to the most, as ministat draws it. */
function plot(m: Measurement): string {
  const all = [...m.before, ...m.after];
  const least = Math.min(...all);
  const most = Math.max(...all);
  const cells = new Array<string>(columns).fill(' ');
  const mark = (value: number, sign: string) => {
    const at = most === least ? 0 : Math.round(((value - least) / (most - least)) * (columns - 1));
    cells[at] = cells[at] === ' ' || cells[at] === sign ? sign : '*';
  };
  for (const value of m.before) mark(value, 'x');
  for (const value of m.after) mark(value, '+');
  return `|${cells.join('')}|`;
}

function summary(found: readonly Measurement[]): string {
  const rest = found.filter((m) => !/^(?:Run \S+ as init process|VFS: Mounted root)/.test(m.what));
  const [first] = [...rest].sort((x, y) => Math.abs(y.saved ?? 0) - Math.abs(x.saved ?? 0));
  const boot =
    found.find((m) => /^Run \S+ as init process/.test(m.what)) ??
    found.find((m) => m.what.startsWith('VFS: Mounted root'));
  if (first && boot && boot !== first)
    return `verdict: ${plain(first.what, 60)}: ${first.verdict}; boot to ${plain(boot.what, 40)}: ${boot.verdict}`;
  return `verdict: ${first?.verdict ?? 'nothing measured'}`;
}

/** The same as a page in one file. */
export function measureHtml(found: readonly Measurement[]): string {
  const body = found.map((m) => {
    const rows = (['before', 'after'] as const).map((side) => {
      const s = summarise(m[side]);
      const cells = [
        side,
        String(s.n),
        formatTime(s.median),
        formatTime(s.mean),
        formatTime(s.sd),
        formatTime(s.min),
        formatTime(s.max),
      ];
      return `<tr>${cells.map((c) => `<td class="n">${c}</td>`).join('')}</tr>`;
    });
    const head = '<tr><th></th><th>n</th><th>median</th><th>mean</th><th>sd</th><th>least</th><th>most</th></tr>';
    return `<h2>${escapeHtml(m.what)}</h2><p>from ${escapeHtml(m.anchor)}</p>\n<table>${head}${rows.join('')}</table>\n${drawing(m)}\n<p>${escapeHtml(m.verdict)}</p>`;
  });
  return htmlPage('Before and after', `${body.join('\n')}\n<p>${escapeHtml(summary(found))}</p>`);
}

function drawing(m: Measurement): string {
  const all = [...m.before, ...m.after];
  const least = Math.min(...all);
  const span = Math.max(1, Math.max(...all) - least);
  const dots = (values: readonly number[], y: number, css: string) =>
    values
      .map(
        (v) => `<circle class="${css}" cx="${(10 + ((v - least) / span) * 780).toFixed(1)}" cy="${String(y)}" r="4"/>`,
      )
      .join('');
  return `<svg viewBox="0 0 800 50" width="100%" role="img">${dots(m.before, 15, 'on')}${dots(m.after, 35, 'off')}</svg>`;
}
