import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dovecot } from './dovecot.js';

/** The mails in a user's INBOX, as files, with LF line ends. */
export function mailsOf(imap: Dovecot, user: string): string[] {
  return ['new', 'cur'].flatMap((name) => {
    const folder = join(imap.mailFolder(user), name);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .sort()
      .map((file) => readFileSync(join(folder, file), 'latin1').replaceAll('\r\n', '\n'));
  });
}

/** One header field of a mail, unfolded. */
export function fieldOf(mail: string, name: string): string | undefined {
  const head = mail.slice(0, mail.indexOf('\n\n')).replace(/\n[ \t]+/g, ' ');
  const line = head.split('\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

/** The mails in a mailbox that the bot wrote. */
export function repliesIn(imap: Dovecot, user: string): string[] {
  return mailsOf(imap, user).filter((mail) => fieldOf(mail, 'From')?.includes('bot@bot.test') === true);
}

export function bodyOf(mail: string): string {
  return mail.slice(mail.indexOf('\n\n') + 2);
}
