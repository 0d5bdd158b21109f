import type { Generated, Insertable, Kysely, Selectable, Transaction } from 'kysely';

/** Moments are whole milliseconds since 1970 UTC; lists and records are JSON text. Both databases hold the same tables. */
export type Tables = {
  migrations: { version: number; applied_at: number };
  meta: { key: string; value: string };
  cursors: { source: string; value: string };
  mails: {
    seq: Generated<number>;
    /** Message-id, or a hash of the bytes for a mail that has none. */
    id: string;
    arrived: number;
    raw: Uint8Array;
    /** Reading, as `read` gave it. */
    reading: string;
    /** ThreadMail. */
    mail: string;
    /** 1 once the bytes were dropped for their age. */
    pruned: Generated<number>;
  };
  deliveries: { mail: string; list: string; arrived: number };
  links: { key: string; mail: string };
  due: { mail: string; due_at: number; tries: number };
  decisions: {
    mail: string;
    posting: string;
    at: number;
    kind: string;
    reason: string;
    detail: string;
    outbox: number | null;
  };
  outbox: OutboxTable;
  claims: { message_id: string; outbox: number };
  spoken: {
    fingerprint: string;
    posting: string;
    author: string;
    causing: number;
    rule: string;
    at: number;
    outbox: number;
  };
  approvals: { list: string; count: number };
  mutes: { scope: string; key: string; at: number; by: string; why: string };
  wrongs: { rule: string; sender: string; message_id: string; at: number };
  notices: { id: Generated<number>; at: number; kind: string; text: string; told: number };
  quarantine: { id: Generated<number>; at: number; source: string; mail: string; reason: string; raw: Uint8Array };
};

type OutboxTable = {
  id: Generated<number>;
  posting: string;
  parent: string;
  message_id: string;
  channel: string;
  home: string;
  lists: string;
  author: string;
  live: number;
  envelope: string;
  bytes: Uint8Array;
  state: string;
  held_by: string | null;
  created_at: number;
  not_before: number;
  expires_at: number;
  sending_at: number | null;
  sent_at: number | null;
  attempts: number;
  why: string;
};

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type OutboxRow = Selectable<OutboxTable>;
export type NewOutboxRow = Insertable<OutboxTable>;
export type Dialect = 'sqlite' | 'postgres';
