import { z } from 'zod';
import type { Policy } from '../../core/review/index.js';
import { parsePeriod } from './period.js';

/** Reasons of a review that a list may ask for, as DESIGN section 5 point 2 names them. */
export const worthReasons = [
  'boot-path-change',
  'risk',
  'claim-does-not-follow',
  'measurement-missed-wait',
  'many-devices-cost',
] as const;

const plainAddress = /^[^\s<>@,;:"()[\]\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;

const address = z
  .string()
  .regex(plainAddress, 'must be one plain address, as in dev@example.org')
  .describe('one mail address');
const ignored = z
  .string()
  .regex(
    /^(?:[^\s<>@,;]{1,64})?@[A-Za-z0-9][A-Za-z0-9.-]{0,250}$/,
    'must be an address, or @domain for a whole domain',
  );
const person = z
  .strictObject({ name: z.string().max(100).default('').describe('display name'), address })
  .describe('a person: name and address');

export const period = z
  .string()
  .describe('a time with its unit: `20 min`, `2h`')
  .transform((text, context) => {
    const value = parsePeriod(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: 'must be a time with its unit, as in "20 min", "2h" or "90s"' });
    return z.NEVER;
  });

const count = z.int().min(0).max(10_000);
const listCaps = z.strictObject({
  hour: count.default(2).describe('replies in any hour'),
  day: count.default(6).describe('replies in any 24 hours'),
  author: count.default(1).describe('replies to one author in any 24 hours'),
});
const allCaps = z.strictObject({
  hour: count.default(4).describe('replies in any hour, all lists together'),
  day: count.default(12).describe('replies in any 24 hours, all lists together'),
  author: count.default(2).describe('replies to one author in any 24 hours, all lists together'),
});

const words = z.array(z.string().min(1).max(200));
const filter = z.strictObject({
  only: words.min(1).optional().describe('nothing but these is answered'),
  never: words.default([]).describe('these are never answered'),
});

const list = z.strictObject({
  address: address.describe('where the list is written to'),
  channel: z
    .enum(['none', 'dry-run', 'operator', 'drafts', 'author', 'list'])
    .default('none')
    .describe(
      'where a reply goes: nowhere, kept for a look, to the operator, to the drafts folder, to the author alone, to author and list',
    ),
  worth: z
    .array(z.enum(worthReasons))
    .min(1)
    .optional()
    .describe('reasons that may cause a mail here; all of them where absent'),
  paths: filter.prefault({}).describe('files or folders, by whole names from the top of the tree'),
  subsystems: filter.prefault({}).describe('what stands before the first colon of a title'),
  nits: z
    .strictObject({
      limit: z.int().min(0).max(3).default(3).describe('nits that may ride on one reply'),
      off: words.default([]).describe('nits that are never said here, by id'),
    })
    .prefault({}),
  rulesOff: words.default([]).describe('other rules that say nothing here, by id'),
  subjectLimit: z
    .int()
    .min(50)
    .max(200)
    .default(75)
    .describe('longest title, in characters, that passes without a nit'),
  copy: z.array(person).max(10).default([]).describe('people who get a copy of each reply'),
  maintainers: z.array(address).default([]).describe('people whose `reveille: stop` holds for the whole list'),
  digest: z
    .enum(['none', 'daily', 'weekly', 'monthly'])
    .default('none')
    .describe(
      'how often the maintainers get a digest by mail, whatever the channel of replies; made at 06:00 UTC, weeks on Monday, never when empty',
    ),
  ignore: z.array(ignored).default([]).describe('senders who are never answered here'),
  caps: listCaps.prefault({}),
  settle: period.prefault('20 min').describe('a posting is judged this long after its last mail came'),
  embargo: period.prefault('0 s').describe('nothing is said before the mail is this old: people speak first'),
  approval: z
    .enum(['first', 'all'])
    .default('first')
    .describe('`first`: the first twenty replies wait for the operator; `all`: every one does'),
});

// RFC 2919: an identifier is dot-separated words; a bare address or a word with spaces is a mistake.
const listId = z
  .string()
  .regex(
    /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/,
    'must be an exact List-Id in lower case, as in linux-nvme.lists.example.org',
  );

/** What `policy.yaml` may hold. */
export const policyFileSchema = z.strictObject({
  self: person.describe('who we are: From of our mail'),
  aliases: z.array(address).default([]).describe('further addresses of ours'),
  operator: address.optional().describe('who runs this instance and gets its notices'),
  ignore: z.array(ignored).default([]).describe('senders who are never answered, on any list'),
  caps: allCaps.prefault({}),
  keepMails: period
    .optional()
    .describe(
      'the bytes of older mails are dropped from the store, `400 d`; what was read from them stays; for ever where absent',
    ),
  authors: z
    .record(
      address.transform((text) => text.toLowerCase()),
      z.strictObject({
        nitsOff: words.describe('nits that are never said to this author, by id; `all` for every one'),
      }),
    )
    .optional()
    .describe('what single people do not want to hear, by their address'),
  lists: z.record(listId, list).default({}).describe('what each list has agreed to, by its exact List-Id'),
});

/** The file as the policy that decisions use. */
export const policySchema = policyFileSchema.transform((file): Policy => ({
  ...file,
  lists: Object.entries(file.lists).map(([id, entry]) => ({ listId: id, ...entry })),
}));
