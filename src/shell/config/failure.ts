/** How a failure ends the program (DESIGN section 4: 2 our side of the input, 3 the outside world) and whether to try again. */
const table = {
  'not-mail': { exit: 2, retry: 'never' },
  usage: { exit: 2, retry: 'never' },
  configuration: { exit: 2, retry: 'never' },
  'git-range': { exit: 2, retry: 'never' },
  unreadable: { exit: 3, retry: 'never' },
  'git-failed': { exit: 3, retry: 'never' },
  unreachable: { exit: 3, retry: 'later' },
} as const;

export type FailureCode = keyof typeof table;

/** The shell's only kind of error: a code from the one table, the text for a reader, the cause. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly exit: 2 | 3;
  readonly retry: 'never' | 'later';

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.exit = table[code].exit;
    this.retry = table[code].retry;
  }
}

/** Every code that a failure may have, in the order of the table. */
export const failureCodes = Object.keys(table) as readonly FailureCode[];
