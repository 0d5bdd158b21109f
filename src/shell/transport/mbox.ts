import { open } from 'node:fs/promises';
import type { OutgoingMail, Transport } from './send-result.js';

/** Appends mails to a file in mboxrd format: a dry run that a mail reader can show. */
export function mboxTransport(path: string): Transport {
  return {
    async send(mail, leave) {
      if (!(await leave())) return { kind: 'withdrawn' };
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(mboxEntry(mail));
        await file.datasync();
      } finally {
        await file.close();
      }
      return { kind: 'sent', refused: [] };
    },
    async check() {
      await (await open(path, 'a', 0o600)).close();
    },
    close: () => Promise.resolve(),
  };
}

/** One mail with its separator line; `From ` in the text is quoted as mboxrd does, so that it can be undone. */
export function mboxEntry(mail: OutgoingMail): Buffer {
  const text = Buffer.from(mail.bytes).toString('latin1').replaceAll('\r\n', '\n');
  const quoted = text.replace(/^(>*From )/gm, '>$1');
  const end = quoted.endsWith('\n') ? '\n' : '\n\n';
  return Buffer.from(`From mboxrd@z Thu Jan  1 00:00:00 1970\n${quoted}${end}`, 'latin1');
}

/** Sends nothing: the outbox row itself is the record. */
export function dryRunTransport(): Transport {
  return {
    send: async (_mail, leave) => ((await leave()) ? { kind: 'sent', refused: [] } : { kind: 'withdrawn' }),
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
