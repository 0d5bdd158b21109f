import type { Define } from '../csource/index.js';
import type { ArgumentUnit } from './catalogue.js';
import type { DelayChange, Use, Wait, WaitKind } from './change.js';
import { toConstant } from './constant-change.js';
import type { Context } from './find.js';
import { isTouched, type Side } from './side.js';
import type { Site } from './site.js';
import { lookupAt } from './scope.js';
import { inUnit } from './quantity.js';
import { evaluate, type Evaluated } from './value.js';
import { isCountName, isTimeName, unitOfName, unitOfRemark } from './words.js';

type Both = { readonly old: Side; readonly new: Side };
export type Defined = { readonly side: Side; readonly define: Define; readonly evaluated: Evaluated };

/** Changed #defines that somebody waits by: one entry each, its unchanged uses beside it. */
export function findConstants(
  context: Context,
  sides: readonly Both[],
  old: readonly Site[],
  fresh: readonly Site[],
): DelayChange[] {
  const before = definesOf(sides, 'old', context);
  const after = definesOf(sides, 'new', context);
  const found: DelayChange[] = [];
  for (const o of before) {
    if (!isTouched(o.side, o.define.line, o.define.endLine)) continue;
    const n = after.find((d) => d.define.name === o.define.name && d.side.file.path === o.side.file.path);
    if (n === undefined || sameValue(o, n)) continue;
    const users = [...old, ...fresh].filter((s) => s.via.includes(o.define.name) || mentions(s, o.define.name));
    if (users.length === 0 && !isTimeName(o.define.name) && !isCountName(o.define.name)) continue;
    const kind: WaitKind = users.length === 0 && isCountName(o.define.name) ? 'retry-count' : 'constant';
    const unit = unitOf(o, n, users);
    found.push(
      toConstant(context, {
        kind,
        old: o,
        new: n,
        before: asWait(o, kind, unit),
        after: asWait(n, kind, unit),
        users,
        uses: usesOf(users),
      }),
    );
  }
  return found;
}

function mentions(site: Site, name: string): boolean {
  return site.wait.unknown.includes(name);
}

function definesOf(sides: readonly Both[], which: 'old' | 'new', context: Context): Defined[] {
  return sides.flatMap((both) => {
    const side = both[which];
    const lookup = lookupAt(context.scopes[which], side, 0);
    return side.fragment.defines
      .filter((d) => d.body !== '')
      .map((define) => ({
        side,
        define,
        evaluated: evaluate(define.body, (n) => (n === define.name ? undefined : lookup(n))),
      }));
  });
}

function sameValue(o: Defined, n: Defined): boolean {
  const a = o.evaluated.value;
  const b = n.evaluated.value;
  if (a !== undefined && b !== undefined) return a.min === b.min && a.max === b.max && a.time === b.time;
  return o.define.body.replace(/\s/g, '') === n.define.body.replace(/\s/g, '');
}

/** The unit by the constant's use, else by its name, else by the remark beside it. */
function unitOf(o: Defined, n: Defined, users: readonly Site[]): ArgumentUnit | undefined {
  for (const user of users) {
    const entry = user.entry;
    if (entry === undefined) continue;
    const text = user.wait.text;
    const conversion = /(m|u|n)?secs_to_jiffies/.exec(text)?.[1];
    if (conversion !== undefined) return conversion === 'm' ? 'ms' : conversion === 'u' ? 'us' : 'ns';
    const unit = user.kind === 'poll-timeout' ? entry.limit?.unit : entry.span?.unit;
    if (unit !== undefined) return unit;
  }
  return unitOfName(n.define.name) ?? unitOfRemark(n.define.remark) ?? unitOfRemark(o.define.remark);
}

function asWait(d: Defined, kind: WaitKind, unit: ArgumentUnit | undefined): Wait {
  const { value, resolved, unknown } = d.evaluated;
  const params = d.define.params === undefined ? '' : `(${d.define.params.join(', ')})`;
  const text = `${d.define.name}${params} ${d.define.body}`;
  if (kind === 'retry-count') {
    return { text, resolved, unknown, ...(value === undefined || value.time ? {} : { count: value.max }) };
  }
  const span = value === undefined ? undefined : value.time ? inUnit(value, 'ns') : unit && inUnit(value, unit);
  return { text, ...(span === undefined ? {} : { span }), resolved, unknown };
}

function usesOf(users: readonly Site[]): Use[] {
  return users
    .filter((u) => u.side.which === 'new' && !u.touched)
    .map((u) => {
      const line = u.side.lines[u.line]?.newNumber;
      return {
        file: u.side.file.path,
        ...(u.place.function === undefined ? {} : { function: u.place.function }),
        text: u.wait.text,
        ...(line === undefined ? {} : { line }),
      };
    });
}
