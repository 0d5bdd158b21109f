import { formatTime, summarise, type Measurement } from '../../core/evidence/index.js';
import { markup, page, runsPicture, table } from '../../core/report/index.js';
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
  const parts = found.map((m) => {
    const [a, b] = [summarise(m.before), summarise(m.after)];
    const rows = [
      ['n', a.n, b.n],
      ...(['median', 'mean', 'sd', 'min', 'max'] as const).map((name) => [
        name,
        formatTime(a[name]),
        formatTime(b[name]),
      ]),
    ];
    return markup`<section class="card">
<h3>${m.what}</h3>
<p class="soft small">from ${m.anchor}</p>
${table(['', 'before', 'after'], rows, ['', 'n', 'n'])}
${runsPicture(m.before, m.after)}<p>${m.verdict}</p>
</section>
`;
  });
  return page('Before and after', markup`<p>${summary(found)}</p>\n${parts}`);
}
