import { functionAt } from '../csource/index.js';
import type { DelayChange, Use, Wait, WaitKind } from './change.js';
import type { Defined } from './constants.js';
import type { Context } from './find.js';
import { constantRole, roleOf } from './meaning.js';
import { pathOf } from './path.js';
import type { Site } from './site.js';

type Parts = {
  readonly kind: WaitKind;
  readonly old?: Defined;
  readonly new?: Defined;
  readonly before?: Wait;
  readonly after?: Wait;
  readonly users: readonly Site[];
  readonly uses: readonly Use[];
};

/** A changed constant as a change of its own. */
export function toConstant(context: Context, parts: Parts): DelayChange {
  const { old, new: fresh, users } = parts;
  const at = fresh ?? old;
  if (at === undefined) throw new Error('a constant has a side');
  const user = users.find((u) => u.kind !== 'constant');
  const isAutosuspend = users.some((u) => u.api === 'pm_runtime_set_autosuspend_delay');
  const role = isAutosuspend
    ? ({ is: 'autosuspend', by: 'set as an autosuspend delay', sure: 0.95 } as const)
    : parts.kind === 'retry-count'
      ? ({ is: 'retry', by: 'named for tries', sure: 0.8 } as const)
      : user === undefined
        ? constantRole(at.define.name)
        : roleOf(user);
  const oldLine = old?.side.lines[old.define.line]?.oldNumber;
  const newLine = fresh?.side.lines[fresh.define.line]?.newNumber;
  const mailLine = at.side.lines[at.define.line]?.mailLine;
  // A #define may stand in the middle of a function.
  const token = at.side.fragment.tokens.find((t) => t.kind === 'directive' && t.line === at.define.line);
  const inside = token && functionAt(at.side.fragment, token.start);
  return {
    patch: context.index,
    effect: old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed',
    kind: parts.kind,
    file: at.side.file.path,
    ...(inside === undefined ? {} : { function: inside }),
    ...(oldLine === undefined ? {} : { oldLine }),
    ...(newLine === undefined ? {} : { newLine }),
    ...(mailLine === undefined ? {} : { mailLine }),
    ...(parts.before === undefined ? {} : { before: parts.before }),
    ...(parts.after === undefined ? {} : { after: parts.after }),
    uses: parts.uses,
    role,
    path: pathOf({
      name: user?.place.function ?? at.define.name,
      file: at.side.file.path,
      flavour: at.side.flavour,
      title: context.patch.title,
      log: context.patch.log.lines,
      callers: () => context.scopes.new.calls().callers.get(user?.place.function ?? '') ?? [],
    }),
    ...(user === undefined ? {} : { inLoop: user.place.loops.length > 0 || user.entry?.kind === 'poll' }),
    bound: { before: 'unknown', after: 'unknown' },
    rounds: {},
    budget: {},
    backoff: {},
    siblings: [],
    quote: [...quote(old), ...quote(fresh)],
  };
}

function quote(d: Defined | undefined): string[] {
  if (d === undefined) return [];
  return d.side.lines
    .slice(d.define.line, d.define.endLine + 1)
    .map((l) => `${l.kind === 'added' ? '+' : l.kind === 'removed' ? '-' : ' '}${l.text}`);
}
