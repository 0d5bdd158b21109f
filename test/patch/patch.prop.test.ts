import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/core/mail/index.js';
import { parsePatches, parseSubject, renderPatch, type Patch } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

const runs = process.env['REVEILLE_LONG'] === '1' ? 5000 : 150;

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.c`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a/b c/d.h', 'b/"q".c', 'ä/ü.c', 'x b/y.c', 'w/back\\slash.c', 'with\ttab.c'),
  },
);
// What lines of a diff look like at their worst: markers of diffs and mails inside them.
const content = fc.oneof(
  fc.string({ maxLength: 20 }).map((text) => text.replace(/[\n\r]/g, ' ')),
  fc.constantFrom(
    '-- a/x',
    '++ b/x',
    '@@ -1 +1 @@',
    '- ',
    '',
    '\tmsleep(20);',
    'From 0 Mon Sep',
    ' No newline',
    'é ß 字',
  ),
);

type Sketch = { kind: ' ' | '+' | '-'; text: string };

const hunkLines = fc.array(fc.record({ kind: fc.constantFrom<Sketch['kind']>(' ', '+', '-'), text: content }), {
  minLength: 1,
  maxLength: 12,
});

function drawHunk(lines: readonly Sketch[], start: number, section: string): string[] {
  const old = lines.filter((line) => line.kind !== '+').length;
  const fresh = lines.filter((line) => line.kind !== '-').length;
  return [
    `@@ -${start},${old} +${start},${fresh} @@ ${section}`.trimEnd(),
    ...lines.map((line) => line.kind + line.text),
  ];
}

const fileText = fc
  .record({
    path,
    form: fc.constantFrom('git', 'plain', 'new', 'gone', 'rename', 'mode', 'binary'),
    hunks: fc.array(fc.tuple(hunkLines, word), { minLength: 1, maxLength: 3 }),
  })
  .map(({ path: raw, form, hunks }) => {
    const q = (name: string): string => (/[^\w/.]/.test(name) ? JSON.stringify(name).replace('\t', '\\t') : name);
    const [a, b] = [q(`a/${raw}`), q(`b/${raw}`)];
    const body = hunks.flatMap(([lines, section], at) => drawHunk(lines, at * 100 + 1, section));
    switch (form) {
      case 'plain':
        return [`--- ${a}`, `+++ ${b}`, ...body];
      case 'new':
        return [`diff --git ${a} ${b}`, 'new file mode 100644', 'index 000..111', '--- /dev/null', `+++ ${b}`, ...body];
      case 'gone':
        return [`diff --git ${a} ${b}`, 'deleted file mode 100755', `--- ${a}`, '+++ /dev/null', ...body];
      case 'rename':
        return [`diff --git ${q('a/old.c')} ${b}`, 'similarity index 90%', 'rename from old.c', `rename to ${q(raw)}`];
      case 'mode':
        return [`diff --git ${a} ${b}`, 'old mode 100644', 'new mode 100755'];
      case 'binary':
        return [`diff --git ${a} ${b}`, 'index 111..222 100644', `Binary files ${a} and ${b} differ`];
      default:
        return [`diff --git ${a} ${b}`, 'index 111..222 100644', `--- ${a}`, `+++ ${b}`, ...body];
    }
  });

const prose = fc.array(
  fc.oneof(fc.lorem({ maxCount: 6 }), fc.constantFrom('', '> quoted', '  indented', '@@ -1 +1 @@x')),
  {
    maxLength: 6,
  },
);

const patchText = fc
  .record({ log: prose, notes: prose, files: fc.array(fileText, { minLength: 1, maxLength: 4 }) })
  .map(({ log, notes, files }) =>
    [
      'From: Bob "B" Example <bob@example.org>',
      'Subject: [PATCH v3 2/5] toy: wait less',
      '',
      ...log,
      'Signed-off-by: Bob <bob@example.org>',
      '---',
      ...notes,
      ...files.flat(),
      '-- ',
      '2.39.5',
      '',
    ].join('\n'),
  );

describe('a patch', () => {
  test('that is printed reads as the same patch', () => {
    fc.assert(
      fc.property(patchText, (text) => {
        const [first, ...more] = parsePatches(mailOf(text)).patches;
        expect(more).toEqual([]);
        if (first === undefined) throw new Error('no patch read');
        const printed = renderPatch(first);
        const [second] = parsePatches(mailOf(printed)).patches;
        expect(withoutPlaces(second)).toEqual(withoutPlaces(first));
        if (second !== undefined) expect(renderPatch(second)).toBe(printed);
      }),
      { numRuns: runs },
    );
  });

  test('comes out of LF and of CRLF transport alike', async () => {
    const head = 'From: Ada Example <ada@example.org>\nSubject: [PATCH] x\nMessage-ID: <1@example.org>\n\n';
    await fc.assert(
      fc.asyncProperty(patchText, async (text) => {
        const mail = (head + text).replaceAll('\0', '');
        const read = async (bytes: string): Promise<unknown> =>
          parsePatches(await parseMessage(new TextEncoder().encode(bytes)));
        expect(await read(mail.replaceAll('\n', '\r\n'))).toEqual(await read(mail));
      }),
      { numRuns: runs },
    );
  });

  test('of a mail that was cut has every hunk that closed before the cut, unchanged', () => {
    fc.assert(
      fc.property(patchText, fc.nat(), (text, seed) => {
        const cut = seed % (text.length + 1);
        const lines = text.slice(0, cut).split('\n').length - 1;
        const whole = hunksOf(parsePatches(mailOf(text)).patches).filter((hunk) => lastLine(hunk) <= lines);
        const before = hunksOf(parsePatches(mailOf(text.slice(0, cut))).patches);
        expect(before.slice(0, whole.length)).toEqual(whole);
      }),
      { numRuns: runs * 2 },
    );
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 30, unit: 'binary' }),
    content,
    fileText.map((lines) => lines.join('\n')),
    fc.constantFrom(
      'diff --git ',
      'diff --git a/ b/',
      'diff --cc x',
      'diff -u',
      'Index: x',
      '--- ',
      '+++ ',
      '@@ -1,3 +1,3 @@',
      '@@ -999999999,999999999 +1 @@',
      '---',
      '-- ',
      'rename from',
      'rename to "\\',
      'GIT binary patch',
      'literal 9',
      '-----Original Message-----',
      '-- >8 --',
      'From 0123 Mon Sep 17 00:00:00 2001',
      'From: x',
      'Subject: [PATCH 2/1',
      '\\ No newline at end of file',
      '\r',
    ),
  );

  test('gives a value, and what it gives survives JSON', () => {
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('\n'));
    fc.assert(
      fc.property(text, fc.string({ maxLength: 60 }), (body, subject) => {
        const parsed = parsePatches(mailOf(body, { subject }));
        expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
        for (const hunk of hunksOf(parsed.patches)) {
          expect(hunk.lines.filter((line) => line.oldNumber !== undefined)).toHaveLength(hunk.oldCount);
          expect(hunk.lines.filter((line) => line.newNumber !== undefined)).toHaveLength(hunk.newCount);
        }
      }),
      { numRuns: runs * 2 },
    );
  });

  test('is a subject', () => {
    const brackets = fc.array(
      fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('[', ']', 'PATCH', 'v2', '1/2', 'Re:', ' of ')),
    );
    fc.assert(
      fc.property(brackets, (pieces) => {
        const { index, total, version } = parseSubject(pieces.join(''));
        expect(index === undefined).toBe(total === undefined);
        expect(Number.isFinite(version)).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

function hunksOf(patches: readonly Patch[]) {
  return patches.flatMap((patch) => patch.files).flatMap((file) => file.hunks);
}

function lastLine(hunk: ReturnType<typeof hunksOf>[number]): number {
  return hunk.lines.at(-1)?.mailLine ?? 0;
}

function withoutPlaces(patch: Patch | undefined): unknown {
  return JSON.parse(JSON.stringify(patch ?? null, (key, value: unknown) => (key === 'mailLine' ? undefined : value)));
}
