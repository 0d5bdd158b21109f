import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'dist', 'shell', 'cli', 'main.js');
const example = join(root, 'examples', 'quill.mbox');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reveille-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reveille(args: readonly string[], input?: string | Buffer) {
  const done = spawnSync(process.execPath, [program, ...args], {
    input: input ?? '',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 120_000,
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const patchHead = 'From: Ada <ada@example.org>\nSubject: [PATCH] x: y\nMessage-ID: <1@example.org>\n\nbody\n---\n';

describe('reveille review', () => {
  test('an empty standard input is no mail: exit status 2, and a word why', () => {
    const { status, err } = reveille(['review', '-']);
    expect(status).toBe(2);
    expect(err).toMatch(/no mail|empty/);
  });

  test('what cannot be read is exit status 3, and the other inputs are still done', () => {
    const { status, out, err } = reveille(['review', join(folder, 'absent.mbox'), example]);
    expect(status).toBe(3);
    expect(err).toContain('absent.mbox');
    expect(out).toContain('verdict:');
  });

  test('a PDF is no mail', () => {
    const { status, err } = reveille(['review', file('paper.pdf', '%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n')]);
    expect(status).toBe(2);
    expect(err).toContain('paper.pdf');
  });

  test('a megabyte of noise is no mail and does no harm', () => {
    const noise = Buffer.from(Array.from({ length: 1 << 20 }, (_, i) => (i * 2654435761) >>> 24));
    expect(reveille(['review', file('noise', noise)]).status).toBe(2);
  });

  test('no path is a usage error', () => {
    expect(reveille(['review']).status).toBe(2);
    expect(reveille(['review', '--format', 'xml', example]).status).toBe(2);
    expect(reveille(['review', '--hz', '7', example]).status).toBe(2);
  });

  test('ndjson has one object a mail, in the order of the input, with --all', () => {
    const { status, out } = reveille(['review', '--all', '--format', 'ndjson', example]);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: { source: { offset: number } } });
    expect(status).toBe(0);
    expect(lines).toHaveLength(3);
    const offsets = lines.map((l) => l.message.source.offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
  });

  test('json is one array even where there is nothing to say', () => {
    expect(
      JSON.parse(
        reveille([
          'review',
          '--format',
          'json',
          file('talk.eml', 'From: a@example.org\nSubject: hello\nDate: Mon, 2 Dec 2019 09:40:11 -0500\n\nhello\n'),
        ]).out,
      ),
    ).toEqual([]);
  });

  test('the replies come as an mbox that reads back as mails to the author, with Re: and threading', () => {
    const { out } = reveille(['review', '--format', 'mbox', example]);
    expect(out).toMatch(/^From /);
    expect(out).toMatch(/^To: .*ada@example\.org/m);
    expect(out).toMatch(/^Subject: Re: \[PATCH\]/m);
    expect(out).toMatch(/^In-Reply-To: <20191105091240\.4410-1-ada@example\.org>/m);
    expect(out).toMatch(/^Auto-Submitted: auto-replied/m);
    expect(out).not.toMatch(/linux-quill@|chiara@/);
  });

  test('the same input and seed give the same bytes', () => {
    const once = reveille(['review', '--all', '--format', 'ndjson', example]).out;
    expect(reveille(['review', '--all', '--format', 'ndjson', example]).out).toBe(once);
  });

  test('--fail-on finding is exit status 1 where a reply is due', () => {
    expect(reveille(['review', '--fail-on', 'finding', example]).status).toBe(1);
    expect(reveille(['review', '--fail-on', 'never', example]).status).toBe(0);
  });

  test('a closed pipe ends it quietly', () => {
    const done = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" review --all examples | head -1`], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(done.stderr).not.toMatch(/EPIPE|Error/);
  });

  const hostile: readonly (readonly [string, () => string | Buffer])[] = [
    [
      'one line of 200 MB',
      () => Buffer.concat([Buffer.from('From: a@example.org\nSubject: x\n\n'), Buffer.alloc(200 << 20, 'a')]),
    ],
    ['10,000 nested multiparts', () => nested(10_000)],
    ['80 KB of diff a/a/a', () => `${patchHead}diff ${'a/'.repeat(40_000)}\n`],
    ['80 KB of @@ -111', () => `${patchHead}--- a/x.c\n+++ b/x.c\n@@ -${'1'.repeat(80_000)}\n`],
    [
      'f( fifty thousand times in a hunk',
      () =>
        `${patchHead}diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,1 @@\n-msleep(1);\n+${'f('.repeat(50_000)}msleep(2);\n`,
    ],
    [
      'quotes without end',
      () =>
        `${patchHead}diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,1 @@\n-msleep(1);\n+"${'\\"'.repeat(50_000)}\n`,
    ],
    [
      'a log line of a megabyte',
      () => `${patchHead.replace('body', `[    0.1] initcall ${'a+0x0/'.repeat(170_000)} returned 0 after 1 usecs`)}`,
    ],
  ];
  test.each(hostile)('%s ends within seconds and harms nothing', (name, make) => {
    const { status, err } = reveille(['review', '--all', file(name.replace(/\W/g, '_'), make())]);
    expect([0, 2]).toContain(status);
    expect(err).not.toMatch(/at .*\.js:\d+/);
  });
});

function nested(depth: number): string {
  const parts: string[] = ['From: a@example.org\nSubject: x\nMIME-Version: 1.0\n'];
  for (let i = 0; i < depth; i++) parts.push(`Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`);
  return parts.join('');
}
