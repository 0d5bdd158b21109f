import type { Mute } from '../../core/review/index.js';
import type { Db, Tx } from './tables.js';

/** Two people, or one about two mails, and the rule is silent until the operator has looked. */
const wrongsToMute = 2;

/** Writes a mute; the first one stands. */
export async function writeMute(
  tx: Tx,
  mute: Mute & { readonly at: number; readonly by: string; readonly why: string },
): Promise<void> {
  const { scope, key, at, by, why } = mute;
  await tx
    .insertInto('mutes')
    .values({ scope, key, at, by, why })
    .onConflict((c) => c.doNothing())
    .execute();
}

export async function readMutes(db: Db): Promise<(Mute & { by: string; why: string; at: number })[]> {
  const rows = await db.selectFrom('mutes').selectAll().orderBy('at').execute();
  return rows.map((row) => ({ ...row, scope: row.scope as Mute['scope'], at: Number(row.at) })); // written by writeMute only
}

/** The operator has looked: the rule, author, series or list may be spoken about again. */
export async function removeMute(tx: Tx, mute: Mute): Promise<boolean> {
  if (mute.scope === 'rule') await tx.deleteFrom('wrongs').where('rule', '=', mute.key).execute();
  const gone = await tx
    .deleteFrom('mutes')
    .where('scope', '=', mute.scope)
    .where('key', '=', mute.key)
    .executeTakeFirst();
  return Number(gone.numDeletedRows) > 0;
}

/** Marks a rule's word in one of our mails as wrong. The second mark mutes the rule and tells the operator. */
export async function writeWrong(
  tx: Tx,
  mark: { readonly rule: string; readonly sender: string; readonly messageId: string; readonly at: number },
): Promise<'marked' | 'muted'> {
  const { rule, sender, messageId, at } = mark;
  await tx
    .insertInto('wrongs')
    .values({ rule, sender, message_id: messageId, at })
    .onConflict((c) => c.doNothing())
    .execute();
  const row = await tx
    .selectFrom('wrongs')
    .select((e) => e.fn.countAll().as('n'))
    .where('rule', '=', rule)
    .executeTakeFirst();
  if (Number(row?.n ?? 0) < wrongsToMute) return 'marked';
  await writeMute(tx, { scope: 'rule', key: rule, at, by: sender, why: 'marked as wrong twice' });
  return 'muted';
}

/** The rules and fingerprints that one of our mails spoke about. */
export async function readSpoken(
  db: Db,
  outbox: number,
): Promise<{ rule: string; fingerprint: string; causing: boolean }[]> {
  const rows = await db
    .selectFrom('spoken')
    .select(['rule', 'fingerprint', 'causing'])
    .where('outbox', '=', outbox)
    .execute();
  return rows.map((row) => ({ ...row, causing: Number(row.causing) === 1 }));
}
