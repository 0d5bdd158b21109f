import { describe, expect, test } from 'vitest';
import { readEvidence, relateEvidence, type Evidence } from '../../src/core/evidence/index.js';
import { change, msleepOf, usleepOf } from '../estimate/invented.js';

type Mail = { readonly from: string; readonly text: string; readonly id?: string };

/** Boot lines of an invented bridge chip: loading, and `took` milliseconds later its link. */
function boot(took: number, start = 1.25): string {
  const line = (at: number, text: string): string => `[${at.toFixed(6).padStart(12)}] ${text}`;
  return [line(start, 'medlar: loading'), line(start + took / 1e3, 'medlar medlar0: link up')].join('\n');
}

function thread(...mails: readonly Mail[]): Evidence {
  const author = mails[0]?.from;
  const read = mails.map(({ from, text, id }, i) => ({
    ...readEvidence({
      subject: i === 0 ? '[PATCH] medlar: poll faster' : 'Re: [PATCH] medlar: poll faster',
      text,
      attachments: [],
    }),
    id: id ?? `<${String(i)}@example.org>`,
    byAuthor: from === author,
    from,
  }));
  return relateEvidence(read, [change(msleepOf(20), usleepOf(500, 1000))]);
}

const quote = (text: string): string => text.replace(/^/gm, '> ');
const ann = 'ann@example.org';
const ben = 'ben@example.org';

describe('evidence of a thread', () => {
  test('before in one mail and after in another of the same writer are measured, and belong to the later mail', () => {
    const found = thread(
      { from: ann, text: 'Changes nothing else.\n' },
      { from: ben, text: `I see this without the patch:\n\n${boot(88.5)}\n` },
      { from: ben, text: `And with the patch applied:\n\n${boot(3.25, 1.1)}\n` },
    );
    expect(found.measurements).toHaveLength(1);
    expect(found.measurements[0]).toMatchObject({ saved: 85_250_000, mail: '<2@example.org>', byAuthor: false });
  });

  test('runs spread over more mails are grouped', () => {
    const found = thread(
      { from: ann, text: `Before:\n\n${boot(88.5)}\n` },
      { from: ann, text: `Once more, before:\n\n${boot(90.5)}\n` },
      { from: ann, text: `After:\n\n${boot(3)}\n` },
    );
    expect(found.measurements[0]).toMatchObject({ before: [88_500_000, 90_500_000], after: [3_000_000] });
  });

  test("the boots of one machine are not compared with another writer's", () => {
    const found = thread(
      { from: ann, text: `Before:\n\n${boot(88.5)}\n` },
      { from: ben, text: `After:\n\n${boot(3)}\n` },
    );
    expect(found.measurements).toEqual([]);
  });

  test("a mail with both sides is not mixed with the same writer's later boots", () => {
    const both = `Before:\n\n${boot(88.5)}\n\nAfter:\n\n${boot(3)}\n`;
    const found = thread({ from: ann, text: both }, { from: ann, text: `After:\n\n${boot(2)}\n` });
    expect(found.measurements.map((m) => m.after)).toEqual([[3_000_000]]);
  });

  test('what is quoted again is counted once', () => {
    const both = `Before:\n\n${boot(88.5)}\n\nAfter:\n\n${boot(3)}\n`;
    const found = thread({ from: ann, text: both }, { from: ben, text: `${quote(both)}\n\nNice.\n` });
    expect(found.measurements).toHaveLength(1);
    expect(found.logs).toHaveLength(2);
  });

  test('a claim that is quoted is not held against the boots of who quotes it', () => {
    const claim = 'This reduces the probe time from 88.5 ms to 3 ms.';
    const mine = `On my board, before:\n\n${boot(31)}\n\nAfter:\n\n${boot(30)}\n`;
    const found = thread({ from: ben, text: `${quote(claim)}\n\n${mine}` });
    expect(found.claims[0]).toMatchObject({ quoted: true, checks: [] });
    const own = thread({ from: ben, text: `${claim}\n\n${mine}` });
    expect(own.claims[0]?.checks).toContainEqual(expect.objectContaining({ of: 'log', holds: 'cannot-tell' }));
  });

  test('boots that are shorter than one old wait are said not to speak of it, in whichever mails they came', () => {
    const found = thread(
      { from: ann, text: 'Changes nothing else.\n' },
      { from: ben, text: `Without the patch:\n\n${boot(9.1)}\n` },
      { from: ben, text: `With the patch:\n\n${boot(9.3)}\n` },
    );
    expect(found.measurements[0]).toMatchObject({ reached: 'no' });
  });
});
