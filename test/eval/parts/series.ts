/** The series of the archives as they are assembled: counts, and a table of a hundred to read against the archive. */
import { pathToFileURL } from 'node:url';
import { parseMessage } from '../../../src/core/mail/index.js';
import { assembleSeries, headOf, parsePatches, type PatchHead, type Series } from '../../../src/core/patch/index.js';
import { archiveMails, halfOf } from './patch-mails.js';

/** Assembles every posting of the archives; `--table` prints a hundred, `--all` every one. */
export async function scoreSeries(): Promise<void> {
  const heads: PatchHead[] = [];
  for (const mail of archiveMails()) {
    const message = await parseMessage(mail.bytes);
    const head = headOf(message, parsePatches(message).patches);
    if (head !== undefined) heads.push(head);
  }
  const series = assembleSeries(heads);
  const numbered = new Set(heads.flatMap((head) => (head.index === undefined ? [] : [head.id])));
  const many = series.filter((s) => isNumbered(s, numbered));
  const count = (of: (s: Series) => boolean): number => many.filter(of).length;
  console.log(`series: mails that post: ${heads.length}`);
  console.log(`series: postings: ${series.length}`);
  console.log(`series: n/m mails in no series: ${numbered.size - placed(many, numbered)} (0)`);
  console.log(`series: n/m postings: ${many.length}`);
  console.log(`series: complete: ${count((s) => s.complete)}`);
  console.log(`series: incomplete: ${count((s) => !s.complete)}`);
  console.log(`series: without a cover: ${count((s) => s.cover === undefined)}`);
  console.log(`series: out of order: ${count((s) => s.outOfOrder)}`);
  console.log(`series: replace an earlier one: ${count((s) => s.replaces !== undefined)}`);
  console.log(`series: replaced by a later one: ${count((s) => s.supersededBy !== undefined)}`);
  console.log(
    `series: version over 1 that replace nothing: ${count((s) => s.version > 1 && s.replaces === undefined)}`,
  );
  for (const evidence of ['change-id', 'in-reply-to', 'title', 'author-title', 'resend'] as const) {
    console.log(
      `series: all postings, by ${evidence}: ${series.filter((s) => s.replaces?.evidence === evidence).length}`,
    );
  }
  console.log(`series: hindsight in a prefix: ${hindsight(heads)} (0)`);
  if (process.argv.includes('--table') || process.argv.includes('--all')) printTable(series, many, heads);
}

function isNumbered(series: Series, numbered: ReadonlySet<string>): boolean {
  return series.members.some((member) => numbered.has(member.id)) || series.cover !== undefined;
}

/** Mails that are a member or cover, or a second copy of one. */
function placed(many: readonly Series[], numbered: ReadonlySet<string>): number {
  const ids = new Set(
    many.flatMap((s) => [...s.members.map((member) => member.id), ...(s.cover === undefined ? [] : [s.cover])]),
  );
  return [...numbered].filter((id) => ids.has(id)).length;
}

/** Series of a prefix of the mails that name a mail which has not come by then. */
function hindsight(heads: readonly PatchHead[]): number {
  let wrong = 0;
  for (const share of [0.1, 0.25, 0.5, 0.75]) {
    const known = heads.slice(0, Math.floor(heads.length * share));
    const ids = new Set(known.map((head) => head.id));
    for (const s of assembleSeries(known)) {
      const named = [s.id, ...s.members.map((m) => m.id), s.replaces?.id, s.supersededBy, s.cover];
      if (named.some((id) => id !== undefined && !ids.has(id))) wrong++;
    }
  }
  return wrong;
}

function printTable(series: readonly Series[], many: readonly Series[], heads: readonly PatchHead[]): void {
  const byId = new Map(series.map((s) => [s.id, s]));
  const dates = new Map(heads.map((head) => [head.id, head.date?.slice(0, 16) ?? '']));
  const shown = process.argv.includes('--all')
    ? many
    : many
        .filter((s) => halfOf(s.id) === 'even')
        .filter((_, at) => at % 3 === 0)
        .slice(0, 100);
  for (const s of shown) {
    const earlier = s.replaces === undefined ? undefined : byId.get(s.replaces.id);
    const later = s.supersededBy === undefined ? undefined : byId.get(s.supersededBy);
    const state = `${s.complete ? 'whole' : `[${s.seen.join(' ')}]`}${s.cover === undefined ? ' no-cover' : ''}${s.outOfOrder ? ' mixed' : ''}${s.resend ? ' RESEND' : ''}${s.partial ? ' PARTIAL' : ''}`;
    const old =
      earlier === undefined
        ? ''
        : ` <= v${earlier.version}/${earlier.total} ${s.replaces?.evidence}: ${earlier.title.slice(0, 40)}`;
    const next = later === undefined ? '' : ` => v${later.version}/${later.total}`;
    console.log(
      `${dates.get(s.id)} ${s.author?.slice(0, 16)} v${s.version}/${s.total} ${state} | ${s.title.slice(0, 60)}${old}${next}`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await scoreSeries();
