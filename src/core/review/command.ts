import { unquotedLines } from './unquoted.js';

export type CommandVerb = 'wrong' | 'stop';
/** How far a command reaches. */
export type CommandScope = 'finding' | 'series' | 'author' | 'list';
/** Who gives it, in the eyes of the policy and of the thread. */
export type Role = 'operator' | 'maintainer' | 'author' | 'participant' | 'stranger';

/** A command as written: `reveille: stop list`, `reveille: wrong fsleep-range`. */
export type Command = { readonly verb: CommandVerb; readonly words: readonly string[] };

/**
 * The command in a reply to our own mail: at the very start of an unquoted line, the first one counts. `ownText` is the
 * mail that is answered: sample commands in a copy of it are not obeyed.
 */
export function parseCommand(text: string, ownText = ''): Command | undefined {
  const own = new Set(ownText.split('\n').map((line) => line.trimEnd()));
  for (const line of unquotedLines(text, own)) {
    const found = /^reveille: {0,3}(wrong|stop)\b([ \w-]{0,80})/i.exec(line);
    const verb = found?.[1]?.toLowerCase();
    if (verb !== 'wrong' && verb !== 'stop') continue;
    return {
      verb,
      words: (found?.[2] ?? '')
        .toLowerCase()
        .split(' ')
        .filter((word) => word !== ''),
    };
  }
  return undefined;
}

/** What a command does once it is known who gave it. */
export type Order =
  | { readonly kind: 'mute'; readonly scope: 'series' | 'author' | 'list' }
  | { readonly kind: 'wrong'; readonly rules: readonly string[] }
  | { readonly kind: 'ignore'; readonly why: string };

/**
 * What a command may do, by who says it. An author's "stop" always holds for all his mail; a maintainer's for the list; the
 * operator's for what he names; anybody who takes part stops the series. A stranger is not obeyed.
 */
export function orderOf(command: Command, role: Role, rules: readonly string[]): Order {
  if (role === 'stranger') return { kind: 'ignore', why: 'not from anyone who takes part in this thread' };
  if (command.verb === 'wrong') {
    const named = rules.filter((rule) => command.words.includes(rule.toLowerCase()));
    return { kind: 'wrong', rules: named.length > 0 ? named : rules };
  }
  return { kind: 'mute', scope: stopScope(command.words, role) };
}

function stopScope(words: readonly string[], role: Exclude<Role, 'stranger'>): 'series' | 'author' | 'list' {
  switch (role) {
    case 'author':
      return 'author';
    case 'maintainer':
    case 'operator':
      if (words.includes('series')) return 'series';
      return words.includes('author') ? 'author' : 'list';
    case 'participant':
      return 'series';
    default:
      role satisfies never;
      return 'series';
  }
}

/** Whose word it is, for a reply to our mail on a list. Addresses are compared in lower case and whole. */
export function roleOf(
  sender: string,
  known: {
    readonly operator?: string;
    readonly maintainers: readonly string[];
    readonly authors: readonly string[];
    readonly participants: readonly string[];
  },
): Role {
  const who = sender.toLowerCase();
  const among = (addresses: readonly string[]): boolean => addresses.some((address) => address.toLowerCase() === who);
  if (who === '') return 'stranger';
  if (known.operator?.toLowerCase() === who) return 'operator';
  if (among(known.authors)) return 'author';
  if (among(known.maintainers)) return 'maintainer';
  return among(known.participants) ? 'participant' : 'stranger';
}
