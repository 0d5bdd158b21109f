import { sql, type CreateTableBuilder } from 'kysely';
import { Failure } from '../config/index.js';
import type { Db, Dialect, Tx } from './tables.js';

type Migration = (tx: Tx, dialect: Dialect) => Promise<void>;

// Forward only: a migration that has been released is never changed, a new one is added at the end.
const migrations: readonly Migration[] = [first, second];

/** Brings the store to this program's version. A store of a newer program is left alone. */
export async function migrate(db: Db, dialect: Dialect, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('version', 'integer', (c) => c.primaryKey())
      .addColumn('applied_at', 'bigint', (c) => c.notNull())
      .execute();
    const row = await tx
      .selectFrom('migrations')
      .select((e) => e.fn.max('version').as('version'))
      .executeTakeFirst();
    const version = Number(row?.version ?? 0);
    if (version > migrations.length) {
      throw new Failure('store-newer', `the store is of version ${version}, this program knows ${migrations.length}`);
    }
    for (const [index, step] of migrations.entries()) {
      if (index < version) continue;
      await step(tx, dialect);
      await tx
        .insertInto('migrations')
        .values({ version: index + 1, applied_at: now })
        .execute();
    }
  });
}

async function first(tx: Tx, dialect: Dialect): Promise<void> {
  const blob = dialect === 'sqlite' ? sql`blob` : sql`bytea`;
  const autoId = <T extends string>(table: CreateTableBuilder<T>, name: string): CreateTableBuilder<T, string> =>
    dialect === 'sqlite'
      ? table.addColumn(name, 'integer', (c) => c.primaryKey().autoIncrement())
      : table.addColumn(name, 'bigint', (c) => c.primaryKey().generatedByDefaultAsIdentity());
  const text = (table: CreateTableBuilder<string, string>, ...names: string[]): CreateTableBuilder<string, string> =>
    names.reduce((t, name) => t.addColumn(name, 'text', (c) => c.notNull()), table);
  const moment = (table: CreateTableBuilder<string, string>, ...names: string[]): CreateTableBuilder<string, string> =>
    names.reduce((t, name) => t.addColumn(name, 'bigint', (c) => c.notNull()), table);
  const create = (name: string): CreateTableBuilder<string, string> => tx.schema.createTable(name);

  for (const [name, key, value] of [
    ['meta', 'key', 'value'],
    ['cursors', 'source', 'value'],
  ] as const) {
    await text(create(name), key, value).addPrimaryKeyConstraint(`${name}_key`, [key]).execute();
  }
  await moment(text(autoId(create('mails'), 'seq'), 'id', 'reading', 'mail'), 'arrived')
    .addColumn('raw', blob, (c) => c.notNull())
    .addUniqueConstraint('mails_id', ['id'])
    .execute();
  await moment(text(create('deliveries'), 'mail', 'list'), 'arrived')
    .addPrimaryKeyConstraint('deliveries_key', ['mail', 'list'])
    .execute();
  await text(create('links'), 'key', 'mail').addPrimaryKeyConstraint('links_key', ['key', 'mail']).execute();
  await tx.schema.createIndex('links_mail').on('links').column('mail').execute();
  await moment(text(create('due'), 'mail'), 'due_at', 'tries')
    .addPrimaryKeyConstraint('due_key', ['mail'])
    .execute();
  await tx.schema.createIndex('due_at').on('due').column('due_at').execute();
  await moment(text(create('decisions'), 'mail', 'posting', 'kind', 'reason', 'detail'), 'at')
    .addColumn('outbox', 'bigint')
    .addPrimaryKeyConstraint('decisions_key', ['mail'])
    .execute();
  await moment(
    text(
      autoId(create('outbox'), 'id'),
      'posting',
      'parent',
      'message_id',
      'channel',
      'home',
      'lists',
      'author',
      'envelope',
      'state',
      'why',
    ),
    'live',
    'created_at',
    'not_before',
    'expires_at',
    'attempts',
  )
    .addColumn('bytes', blob, (c) => c.notNull())
    .addColumn('held_by', 'text')
    .addColumn('sending_at', 'bigint')
    .addColumn('sent_at', 'bigint')
    .addUniqueConstraint('outbox_message_id', ['message_id'])
    .execute();
  await tx.schema.createIndex('outbox_state').on('outbox').columns(['state', 'not_before']).execute();
  await moment(text(create('claims'), 'message_id'), 'outbox')
    .addPrimaryKeyConstraint('claims_key', ['message_id'])
    .execute();
  await moment(text(create('spoken'), 'fingerprint', 'posting', 'author', 'rule'), 'causing', 'at', 'outbox')
    .addPrimaryKeyConstraint('spoken_key', ['fingerprint', 'posting'])
    .execute();
  await moment(text(create('approvals'), 'list'), 'count')
    .addPrimaryKeyConstraint('approvals_key', ['list'])
    .execute();
  await moment(text(create('mutes'), 'scope', 'key', 'by', 'why'), 'at')
    .addPrimaryKeyConstraint('mutes_key', ['scope', 'key'])
    .execute();
  await moment(text(create('wrongs'), 'rule', 'sender', 'message_id'), 'at')
    .addPrimaryKeyConstraint('wrongs_key', ['rule', 'sender', 'message_id'])
    .execute();
  await moment(text(autoId(create('notices'), 'id'), 'kind', 'text'), 'at', 'told').execute();
  await moment(text(autoId(create('quarantine'), 'id'), 'source', 'mail', 'reason'), 'at')
    .addColumn('raw', blob, (c) => c.notNull())
    .execute();
}

/** Bytes of old mails may be dropped; notices are looked up by age. */
async function second(tx: Tx): Promise<void> {
  await tx.schema
    .alterTable('mails')
    .addColumn('pruned', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await tx.schema.createIndex('mails_by_age').on('mails').columns(['pruned', 'arrived']).execute();
}
