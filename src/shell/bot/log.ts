import { pino, type DestinationStream } from 'pino';

/** What the daemon may log: a closed list of constant names; docs/operations.md explains each. */
export const logEvents = {
  'daemon.started': 'sources are being watched',
  'daemon.stopping': 'a signal came; what is under way is finished',
  'daemon.stopped': 'all is closed',
  'turn.taken': 'this process does what one process at a time does: reads a mailbox, sends digests',
  'turn.awaited': 'another process does it; this one stands by',
  'turn.lost': 'PostgreSQL has given it to another, or may have: this process has stopped doing it',
  'turns.failed': 'the connection that holds the turns is gone; it is tried again',
  'source.connected': 'a mailbox or folder is open',
  'source.first-start': 'a source is read for the first time: it begins at the newest mail',
  'source.uidvalidity-changed': 'the mailbox was made anew: it is read from its beginning, known mails are skipped',
  'source.keyword-refused': 'the server does not let us mark mails; nothing depends on it',
  'source.disconnected': 'a connection was lost or refused; `pause` milliseconds until the next try',
  'mail.kept': 'new mails are in the store',
  'mail.quarantined': 'a mail could not be read or judged and was put aside',
  'command.obeyed': 'somebody who may asked us to stop, or marked a reply as wrong',
  'policy.loaded': 'the policy was read',
  'policy.broken': 'the policy cannot be read: nothing is sent',
  'kill-file.found': 'everything is stopped by the kill file',
  'kill-file.gone': 'the kill file is gone: work goes on',
  'review.decided': 'a posting was judged',
  'send.done': 'a transport has taken a reply',
  'send.refused': 'a reply was refused, for now or for good',
  'send.ambiguous': 'a connection broke after a reply had left: it is not sent again by itself',
  'send.withdrawn': 'a reply got no leave at the last moment: another process has it, or it may go no more',
  'notice.sent': 'the operator was told of commands and mutes, or a verified sender that he was understood',
  'digest.done': 'a digest was due: sent, empty, refused, or it may have left',
  'tree.failed': 'the kernel tree does not say whose the files are; the digest goes without it',
  'mail.pruned': 'the bytes of old mails were dropped, as the policy says',
  'store.failed': 'the store does not answer; it is tried again',
  'http.failed': 'the port for health and metrics cannot be had',
} as const;

export type LogEvent = keyof typeof logEvents;
export type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** One JSON line an event. Bytes and texts of mails are no fields; addresses belong to `debug`. */
export type Log = {
  debug(event: LogEvent, fields?: LogFields): void;
  info(event: LogEvent, fields?: LogFields): void;
  warn(event: LogEvent, fields?: LogFields): void;
  error(event: LogEvent, fields?: LogFields): void;
  /** From now on this text is replaced wherever it would stand in a line. */
  hide(secret: string): void;
};

const secretKeys = [
  'password',
  'pass',
  'token',
  'accessToken',
  'secret',
  'authorization',
  'bytes',
  'raw',
  'body',
  'text',
];

/** Opens the log. Redacted twice: by the names of fields, and by the secrets' own text. */
export function openLog(level: string, destination: DestinationStream = process.stdout): Log {
  const hidden = new Set<string>();
  const guarded: DestinationStream = {
    write(line) {
      let safe = line;
      for (const secret of hidden) safe = safe.replaceAll(secret, '[hidden]');
      destination.write(safe);
    },
  };
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: 'event',
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
  };
  const inner = pino(options, guarded);
  return {
    debug: (event, fields = {}) => inner.debug(fields, event),
    info: (event, fields = {}) => inner.info(fields, event),
    warn: (event, fields = {}) => inner.warn(fields, event),
    error: (event, fields = {}) => inner.error(fields, event),
    hide(secret) {
      if (secret.length < 4) return; // would blank half the log
      hidden.add(secret);
      hidden.add(JSON.stringify(secret).slice(1, -1));
    },
  };
}
