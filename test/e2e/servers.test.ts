import { ImapFlow } from 'imapflow';
import { readdirSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { afterAll, describe, expect, test } from 'vitest';
import { hasDovecot, startDovecot } from '../support/servers/dovecot.js';
import { hasMailList, startMailServer } from '../support/servers/postfix.js';
import { temporaryFolder, waitFor } from '../support/servers/process-group.js';

describe.skipIf(!hasDovecot || !hasMailList)('the test servers [needs dovecot, postfix, mlmmj]', () => {
  const folder = temporaryFolder('servers');
  afterAll(() => folder.remove());

  test('a mail to the list arrives in a subscriber’s mailbox and in the archive', async () => {
    const imap = await startDovecot(folder.path, ['bot', 'other']);
    const smtp = await startMailServer(folder.path, { lmtpPort: imap.lmtpPort, lists: ['drivers'] });
    try {
      smtp.subscribe('drivers', 'bot@bot.test');
      const client = new ImapFlow({
        host: '127.0.0.1',
        port: imap.port,
        auth: { user: 'bot', pass: 'secret-of-bot' },
        doSTARTTLS: false,
        logger: false,
      });
      client.on('error', () => undefined);
      await client.connect();
      await client.mailboxOpen('INBOX');
      const post = createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true });
      await post.sendMail({ from: 'dev@example.org', to: 'drivers@lists.test', subject: 'hello', text: 'a list\n' });
      await waitFor('the mail is in the mailbox', () => client.mailbox !== false && client.mailbox.exists === 1, {
        log: smtp.log,
      });
      await waitFor('the archive has it', () => readdirSync(smtp.archive('drivers')).length === 1);
      await client.logout();
      expect(readdirSync(smtp.archive('drivers'))).toEqual(['1']);
    } finally {
      await smtp.stop();
      await imap.stop();
    }
  });
});
