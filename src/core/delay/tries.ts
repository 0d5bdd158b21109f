import { textOf, type Token } from '../csource/index.js';
import { lookupAt, type Scope } from './scope.js';
import { isTouched, placeOf, type Side } from './side.js';
import { noProbes, questionOf, type Site } from './site.js';
import { evaluate } from './value.js';
import { isCountName } from './words.js';

const COMPARES = /^(?:[<>]=?|==|!=)$/;
/** What a changed line must have for a number of tries to be tested in it. */
const SIGNS = /retr(?:y|ies)|tries|attempts|loops?\b|count|cnt/i;

/**
 * Tests of a number of tries outside a loop's own bound: `if (++toy->retries > 3)`, `if (retry++ < 5) goto again;`. Only in
 * changed lines; `bounds` are the bounds of loops, which are told already.
 */
export function trySites(side: Side, bounds: readonly Site[], scope: Scope): Site[] {
  if (!side.lines.some((l) => l.kind !== 'context' && SIGNS.test(l.text))) return [];
  const told = new Set(bounds.filter((b) => b.side === side).map((b) => b.line));
  const { tokens } = side.fragment;
  const found: Site[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'punct' || !COMPARES.test(token.text) || found.length >= 100) continue;
    if (told.has(token.line) || !isTouched(side, token.line, token.line)) continue;
    const limit = tokens[i + 1];
    const after = tokens[i + 2]?.text ?? '';
    if (limit === undefined || !/^(?:number|name)$/.test(limit.kind) || !/^(?:\)|&&|\|\||;|\?)$/.test(after)) continue;
    const counter = counterBefore(tokens, i);
    if (counter === undefined) continue;
    const lookup = lookupAt(scope, side, token.start);
    const evaluated = evaluate(limit.text, lookup);
    const value = evaluated.value;
    // Nought and one say whether there was a try at all.
    if (value !== undefined && (value.time || value.max < 2)) continue;
    found.push({
      side,
      kind: 'retry-count',
      wait: {
        text: `${counter} ${token.text} ${limit.text}`,
        ...(value === undefined ? {} : { count: value.max }),
        resolved: evaluated.resolved,
        unknown: evaluated.unknown,
        ...questionOf([limit.text], [evaluated], 'count'),
      },
      via: evaluated.via,
      place: placeOf(side, token.start),
      offset: token.start,
      line: token.line,
      endLine: token.line,
      touched: true,
      target: `${counter} ${token.text}`,
      source: 'handed',
      probes: noProbes,
    });
  }
  return found;
}

/** `++toy->retries`, `retry++`: the name that is compared, if it counts tries. */
function counterBefore(tokens: readonly Token[], at: number): string | undefined {
  let to = at;
  if (/^(?:\+\+|--)$/.test(tokens[to - 1]?.text ?? '')) to--;
  const last = tokens[to - 1];
  if (last?.kind !== 'name' || !isCountName(last.text)) return undefined;
  let from = to - 1;
  while (/^(?:->|\.)$/.test(tokens[from - 1]?.text ?? '') && tokens[from - 2]?.kind === 'name') from -= 2;
  return textOf(tokens, from, to);
}
