import { createHash } from 'node:crypto';
import { markup, type Markup } from './markup.js';

const style = `
:root {
  color-scheme: light dark;
  --ink: #1f2328; --soft: #59636e; --paper: #ffffff; --shade: #f3f5f7; --line: #d1d9e0;
  --before: #a8451f; --after: #1f6f8b; --band: #9fcadb; --good: #1a7f37; --warn: #9a5b00; --bad: #b42318;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --soft: #9aa7b4; --paper: #0f1419; --shade: #1a2129; --line: #36404b;
    --before: #f0915f; --after: #62bfdc; --band: #24596b; --good: #4fc36a; --warn: #e0a33a; --bad: #ff7b6b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 62rem;
  font: 1rem/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper);
  overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem; }
h3 { font-size: 1.05rem; line-height: 1.35; margin: 0 0 .25rem; }
p, ul, dl { margin: .4rem 0; }
ul { padding-left: 1.2rem; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875em; }
pre { margin: .5rem 0; padding: .75rem; background: var(--shade); border-radius: .4rem; overflow-x: auto; line-height: 1.4; overflow-wrap: normal; }
a { color: var(--after); }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th { font-weight: 600; color: var(--soft); }
td.n, th.n { text-align: right; white-space: nowrap; }
td.words { min-width: 12rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: .75rem 0; padding: 0; }
.facts div { min-width: 8rem; }
.facts dt { color: var(--soft); font-size: .875rem; }
.facts dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: .9rem 0; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .8125rem; margin: 0 .4rem .2rem 0; }
figure { margin: 1rem 0; }
figcaption { color: var(--soft); font-size: .875rem; margin-top: .25rem; }
svg { display: block; width: 100%; max-width: 32rem; height: auto; }
svg text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .axis { stroke: var(--line); fill: none; } svg .mark { fill: var(--soft); }
svg .before { fill: var(--before); } svg .after { fill: var(--after); } svg .band { fill: var(--band); }
svg .middle { fill: none; stroke: var(--after); stroke-width: 2; } svg .zero { stroke: var(--soft); }
svg .on { fill: var(--before); } svg .off { fill: var(--soft); } svg .unknown { fill: var(--warn); }
svg .init { stroke: var(--ink); stroke-dasharray: 4 3; }
fieldset { border: 0; padding: 0; margin: .5rem 0 0; }
legend { float: left; padding: 0 1rem 0 0; }
fieldset label { margin-right: 1rem; white-space: nowrap; }
input[type=text] { width: 100%; max-width: 30rem; font: inherit; color: inherit; background: var(--shade); border: 1px solid var(--line); border-radius: .3rem; padding: .25rem .5rem; }
button { font: inherit; padding: .35rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--shade); color: inherit; cursor: pointer; }
@media (max-width: 34rem) {
  table { font-size: .8125rem; } th, td { padding-right: .6rem; } td.words { min-width: 6.5rem; }
}
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .75rem; }
`;

export type PageOptions = {
  /** A script of ours. It runs only because its hash is in the page's policy; a stranger's would not. */
  readonly script?: string;
  /** Below the line at the end. */
  readonly foot?: Markup;
};

/** A page in one file: nothing is loaded from elsewhere, light or dark as the reader's system is, from 320 pixels wide. */
export function page(title: string, body: Markup, { script, foot }: PageOptions = {}): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const code = script === undefined ? undefined : { html: `<script>${script}</script>\n` };
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ html: policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<h1>${title}</h1>
${body}
${foot === undefined ? undefined : markup`<footer class="small soft">${foot}</footer>\n`}${code}</body>
</html>
`.html;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Figures in a row: name and value each. */
export function factRow(facts: readonly (readonly [name: string, value: string])[]): Markup {
  const cells = facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  return markup`<dl class="facts">\n${cells}</dl>`;
}

/** A table that scrolls inside itself where it is too wide. `n` marks columns of numbers. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
  kinds: readonly ('n' | 'words' | '')[] = [],
  { head: withHead = true }: { readonly head?: boolean } = {},
): Markup {
  if (rows.length === 0) return { html: '' };
  const kind = (at: number): Markup | undefined =>
    kinds[at] === undefined || kinds[at] === '' ? undefined : { html: ` class="${kinds[at]}"` };
  const cells = rows.map((row) => markup`<tr>${row.map((cell, at) => markup`<td${kind(at)}>${cell}</td>`)}</tr>\n`);
  const names = head.map(
    (name, at) => markup`<th${kinds[at] === 'n' ? { html: ' class="n"' } : undefined}>${name}</th>`,
  );
  const first = withHead ? markup`<tr>${names}</tr>\n` : undefined;
  return markup`<div class="wide"><table>
${first}${cells}</table></div>`;
}
