/** When it makes sense to try again: never without a change by a person, or later by itself. */
export type Retry = 'never' | 'later';

type Entry = { readonly exit: 2 | 3; readonly retry: Retry; readonly title: string; readonly mend: string };

/**
 * Every error that the shell may show: how it ends the program (DESIGN section 4: 2 our side of the input, 3 the outside world),
 * whether to try again, what it means and what to do. docs/errors.md is made from this table.
 */
export const failures = {
  usage: {
    exit: 2,
    retry: 'never',
    title: 'The command was called in a way it does not know.',
    mend: 'See `reveille COMMAND --help`.',
  },
  'not-mail': {
    exit: 2,
    retry: 'never',
    title: 'What was given holds no mail.',
    mend: 'Give an mbox, a Maildir, a public-inbox, a `.eml` or a `.patch`.',
  },
  configuration: {
    exit: 2,
    retry: 'never',
    title: 'A configuration file holds something it may not.',
    mend: 'Mend the line that is named; unknown keys come with the nearest known one.',
  },
  'settings-missing': {
    exit: 2,
    retry: 'never',
    title: 'The settings file is not there or cannot be read.',
    mend: 'Give its path with `--config FILE`; `docs/configuration.md` shows every key.',
  },
  'secret-missing': {
    exit: 2,
    retry: 'never',
    title: 'A secret could not be had from the file, variable or command that the settings name.',
    mend: 'Check that the file is readable, the variable set, the command successful.',
  },
  checkpatch: {
    exit: 3,
    retry: 'never',
    title: 'The kernel tree’s checkpatch.pl could not be run to its end.',
    mend: 'Check that perl is there and that the script named runs by itself.',
  },
  'git-range': {
    exit: 2,
    retry: 'never',
    title: 'Git does not know the range of commits.',
    mend: 'Check it with `git log RANGE` in the same folder.',
  },
  unreadable: {
    exit: 3,
    retry: 'never',
    title: 'A file or folder cannot be read.',
    mend: 'Check the path and its rights.',
  },
  'git-failed': {
    exit: 3,
    retry: 'never',
    title: 'Git could not be run, or ended with an error.',
    mend: 'Run the command that is named by hand.',
  },
  'login-refused': {
    exit: 3,
    retry: 'never',
    title: 'A server refuses the user with this password or token.',
    mend: 'Check `user`, and what `password` or `accessToken` give, by hand.',
  },
  certificate: {
    exit: 3,
    retry: 'never',
    title: 'Nobody whom we trust vouches for the certificate of a server.',
    mend: 'Check the host name; name the CA file of a private server in `certificates`.',
  },
  'no-tls': {
    exit: 3,
    retry: 'never',
    title: 'A server does not speak TLS in the way that the settings say.',
    mend: 'Set `tls` to `implicit` or `starttls`, whichever goes with the port.',
  },
  'no-mailbox': {
    exit: 3,
    retry: 'never',
    title: 'A mailbox is not there.',
    mend: 'Check its name and the hierarchy separator of the server, or make it.',
  },
  unreachable: {
    exit: 3,
    retry: 'later',
    title: 'A server does not answer.',
    mend: 'It is tried again by itself; check host, port and network.',
  },
  'store-unreachable': {
    exit: 3,
    retry: 'later',
    title: 'The store cannot be opened or does not answer.',
    mend: 'Check the URL, the rights on the file, or that PostgreSQL runs.',
  },
  'store-busy': {
    exit: 3,
    retry: 'later',
    title: 'Another process held the store for too long.',
    mend: 'It is tried again by itself; look for a process that hangs.',
  },
  'store-newer': {
    exit: 2,
    retry: 'never',
    title: 'The store was written by a newer version of Reveille.',
    mend: 'Run that version; migrations go forward only.',
  },
  'store-url': {
    exit: 2,
    retry: 'never',
    title: 'The store URL is of no known kind.',
    mend: 'Use `sqlite:PATH`, or `postgres://USER@HOST/NAME`.',
  },
  'workers-need-postgresql': {
    exit: 2,
    retry: 'never',
    title: 'Workers were started on a store that only one machine can have.',
    mend: 'Name a PostgreSQL database in `store`, or run `reveille daemon`, which is all roles in one process.',
  },
  'queue-unknown': {
    exit: 2,
    retry: 'never',
    title: 'There is no such reply in the queue.',
    mend: '`reveille queue list` shows what there is.',
  },
  'queue-state': {
    exit: 2,
    retry: 'never',
    title: 'The reply no longer waits: it was sent, cancelled, or has expired.',
    mend: '`reveille queue show ID` says what became of it.',
  },
} as const satisfies Readonly<Record<string, Entry>>;

export type FailureCode = keyof typeof failures;

/** The shell's only kind of error: a code from the one table, the text for a reader, the cause. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly exit: 2 | 3;
  readonly retry: Retry;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.exit = failures[code].exit;
    this.retry = failures[code].retry;
  }

  /** What to do about it, in one sentence. */
  get mend(): string {
    return failures[this.code].mend;
  }
}

/** Every code that a failure may have, in the order of the table. */
export const failureCodes = Object.keys(failures) as readonly FailureCode[];
