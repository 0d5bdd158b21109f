import { z } from 'zod';
import { period } from './policy-schema.js';

const path = z.string().min(1).max(4096);

/** A secret by reference: what is written in a settings file is where it is, never what it is. */
export const secretSchema = z
  .union([
    z.strictObject({ file: path }),
    z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/, 'must be the name of a variable') }),
    z.strictObject({ command: z.array(z.string().max(4096)).min(1).max(50) }),
  ])
  .describe('a secret by reference: `{ file: PATH }`, `{ env: NAME }` or `{ command: [PROGRAM, ARGUMENT...] }`');

export type SecretReference = z.output<typeof secretSchema>;

const host = z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, 'must be a host name or address');
const port = z.int().min(1).max(65_535);
const tls = z
  .enum(['implicit', 'starttls', 'none'])
  .describe('how the connection is encrypted; `none` is for loopback only');

const server = {
  host: host.describe('host name or address'),
  port: port.describe('port'),
  tls: tls.default('implicit'),
  certificates: path.optional().describe("file of certificates to trust beside the system's, as PEM"),
  clearText: z
    .boolean()
    .default(false)
    .describe('lets `tls: none` reach another machine: whoever is on the way can read password and mails'),
};

type Server = { readonly host: string; readonly tls: string; readonly clearText: boolean };

/** Without TLS a password goes over the wire as it is: that is for this machine, or for somebody who says that he knows. */
function checkClearText({ host: to, tls: by, clearText }: Server, context: z.RefinementCtx): void {
  if (by !== 'none' || clearText || isLoopback(to)) return;
  const message = '`none` is for loopback only; use `implicit` or `starttls`, or say `clearText: true` if you know';
  context.addIssue({ code: 'custom', path: ['tls'], message });
}

function isLoopback(to: string): boolean {
  return to === 'localhost' || to === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(to);
}

const imap = z
  .strictObject({
    ...server,
    user: z.string().min(1).max(256).describe('account'),
    password: secretSchema.optional().describe('its password, by reference'),
    accessToken: secretSchema.optional().describe('an OAuth2 token instead, asked for at every connection'),
    mailbox: z.string().min(1).max(256).default('INBOX').describe('the folder that the lists are delivered to'),
    mailboxes: z
      .array(z.string().min(1).max(256))
      .min(1)
      .max(50)
      .optional()
      .describe('several folders in place of one'),
    keyword: z
      .string()
      .regex(/^[$A-Za-z][\w$.-]{0,60}$/, 'must be an IMAP keyword')
      .default('$Reveille')
      .describe('set on mails that were read, where the server allows it; nothing depends on it'),
    drafts: z.string().min(1).max(256).default('Drafts').describe('where channel `drafts` puts replies'),
    silence: period.prefault('5 min').describe('a connection that says nothing for this long is taken for dead'),
    sweep: period.prefault('10 min').describe('how often the folder is looked through, whatever the server announces'),
  })
  .superRefine(checkClearText);

const folder = z.strictObject({
  path: path.describe('a relative path is beside the settings file'),
  kind: z.enum(['maildir', 'public-inbox']).describe('what the folder is'),
  sweep: period.prefault('1 min').describe('how often it is looked through, whatever the file system announces'),
});

const smtp = z
  .strictObject({
    ...server,
    user: z.string().min(1).max(256).optional().describe('account; absent for a server that knows us by address'),
    password: secretSchema.optional().describe('its password, by reference'),
    accessToken: secretSchema.optional().describe('an OAuth2 token instead, asked for at every connection'),
    name: host.optional().describe('name to greet with'),
    patience: period.prefault('5 min').describe('how long the server may stay silent (RFC 5321 section 4.5.3.2)'),
  })
  .superRefine(checkClearText);

/** What the settings file of the daemon may hold. */
export const settingsSchema = z.strictObject({
  imap: imap.optional().describe('where mail is read by IMAP'),
  folders: z
    .array(folder)
    .max(50)
    .default([])
    .describe(
      'Maildirs and public-inbox folders to read from, beside or in place of IMAP: a list of `{ path, kind, sweep }`',
    ),
  smtp: smtp.optional().describe('where mail is sent; without it nothing leaves but drafts and dry runs'),
  pause: z
    .strictObject({
      first: period.prefault('1 s').describe('before the second try to connect; doubles each time'),
      longest: period.prefault('5 min').describe('never longer than this'),
    })
    .prefault({}),
  sizeLimit: z
    .int()
    .min(10_000)
    .max(100_000_000)
    .default(20_000_000)
    .describe('in bytes; larger mails are put aside unread'),
  mbox: path.optional().describe('replies on channel `dry-run` are appended here'),
  store: z
    .string()
    .regex(/^(?:sqlite:.+|postgres(?:ql)?:\/\/.+)$/, 'must be "sqlite:PATH" or "postgres://USER@HOST/NAME"')
    .default('sqlite:reveille.db')
    .describe('`sqlite:PATH`, or `postgres://USER@HOST/NAME`; a password belongs into `storePassword`'),
  takeOver: period
    .refine((ms) => ms >= 2000, 'must be at least 2 s')
    .prefault('20 s')
    .describe('on PostgreSQL: a process that says nothing for this long loses its mailboxes to another'),
  storePassword: secretSchema.optional().describe('password of the PostgreSQL account, by reference'),
  policy: path.default('policy.yaml').describe('who may be written to; a relative path is beside the settings file'),
  instance: z.strictObject({
    secret: secretSchema.describe('makes our Message-IDs; must stay the same over the life of the store'),
    domain: host.describe('right-hand side of our Message-IDs'),
  }),
  tree: path.optional().describe('a kernel tree to look constants, siblings and maintainers up in'),
  checkpatch: z
    .strictObject({ path: path.describe('the script, or a kernel tree that has it; the tree of `tree` where absent') })
    .optional()
    .describe('whose checkpatch.pl `review --checkpatch` runs'),
  killFile: path.default('reveille.stop').describe('while this file exists, nothing is decided or sent'),
  health: z
    .strictObject({ host: host.default('127.0.0.1').describe('address'), port: port.describe('port') })
    .optional()
    .describe('where health and counters are served over HTTP; nowhere without it'),
  jobs: z.int().min(1).max(64).default(2).describe('threads that read mail'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31)
    .default(1)
    .describe('for the named random streams of the simulator'),
  authentication: z
    .strictObject({
      dns: z.boolean().default(true).describe('look up the DKIM keys of those who give commands by reply'),
      sealers: z.array(host).max(50).default([]).describe('domains of list servers whose ARC seals are believed'),
    })
    .prefault({}),
  log: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('least level of a log line'),
});

export type Settings = z.output<typeof settingsSchema>;
export type ImapSettings = NonNullable<Settings['imap']>;
export type FolderSettings = Settings['folders'][number];
