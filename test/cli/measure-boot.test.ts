import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Ajv from 'ajv';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { read } from '../../src/core/review/index.js';
import { openKit } from '../../src/shell/config/index.js';
import { bootCommand } from '../../src/shell/cli/boot.js';
import { measureCommand } from '../../src/shell/cli/measure.js';
import { makeBoot } from '../evidence/made-logs.js';

const folder = mkdtempSync(join(tmpdir(), 'reveille-cli-'));
const hasXz = spawnSync('xz', ['--version']).status === 0;
const root = join(import.meta.dirname, '..', '..');
const schema = (name: string) =>
  new Ajv.Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(join(root, 'config', 'schema', name), 'utf8')) as object,
  );

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function run(
  command: 'boot' | 'measure',
  ...args: string[]
): Promise<{ out: string; err: string; status: number }> {
  let out = '';
  let err = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
  process.exitCode = 0;
  try {
    await (command === 'boot' ? bootCommand() : measureCommand()).parseAsync(args, { from: 'user' });
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
  const status = Number(process.exitCode);
  process.exitCode = 0;
  return { out, err, status };
}

beforeEach(() => {
  process.exitCode = 0;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const before = [0, 1].map((k) =>
  makeBoot({ hz: 300, old: true, flash: 320_000, mouse: 20_000, start: 250_000 + k * 900 }),
);
const after = [0, 1].map((k) =>
  makeBoot({ hz: 300, old: true, flash: 60_000, mouse: 20_000, start: 250_000 + k * 900 }),
);

describe('reveille boot', () => {
  test('lists the slowest, draws them, and ends with one verdict line', async () => {
    const { out, status } = await run('boot', file('boot.log', before[0] ?? ''));
    expect(status).toBe(0);
    expect(out).toContain('HZ=300');
    expect(out).toMatch(/75 ms {2}plum_bus_init/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^verdict: slowest is plum_bus_init/);
  });

  test('--what-if says what the boot gains, with the reason', async () => {
    const { out } = await run('boot', file('boot.log', before[0] ?? ''), '--what-if', 'plum_bus_init=-20ms');
    expect(out.trimEnd().split('\n').at(-1)).toContain('the boot would gain 20 ms (on the boot path');
  });

  test('its JSON is what the schema says, also from a gzipped log', async () => {
    const path = file('boot.log.gz', gzipSync(before[0] ?? ''));
    const { out } = await run('boot', path, '--format', 'json', '--what-if', 'walnut=-5ms');
    const validate = schema('reveille.boot.v1.json');
    expect(validate(JSON.parse(out)), JSON.stringify(validate.errors)).toBe(true);
  });

  test.skipIf(!hasXz)('an xz log is read through the program xz [needs xz]', async () => {
    const path = file('boot.log.xz', spawnSync('xz', ['-c'], { input: before[0] ?? '' }).stdout);
    const { out } = await run('boot', path);
    expect(out).toContain('plum_bus_init');
  });

  test.skipIf(!hasXz)('a log attached to a mail in xz is read, also by the reader of the bot [needs xz]', async () => {
    const packed = spawnSync('xz', ['-c'], { input: before[0] ?? '' }).stdout.toString('base64');
    const head =
      'From: A Developer <a@example.org>\nSubject: boot log\nMessage-ID: <2@example.org>\nMIME-Version: 1.0\n';
    const part = `Content-Type: application/x-xz; name="before.log.xz"\nContent-Transfer-Encoding: base64\n\n${packed.replace(/.{76}/g, '$&\n')}\n`;
    const mail = `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nAttached.\n--b\n${part}--b--\n`;
    expect((await run('boot', file('log.eml', mail))).out).toContain('plum_bus_init');
    const reading = await read(Buffer.from(mail), await openKit());
    expect(reading.logs[0]).toMatchObject({ label: 'before', source: 'before.log.xz' });
  });

  test('its page is one file without scripts, and a log cannot write markup', async () => {
    const hostile = `${before[0] ?? ''}`
      .replaceAll('plum_bus_init', 'plum_bus_init')
      .replace('pear pear0: 3', '<script>alert(1)</script>: 3');
    const { out } = await run('boot', file('boot.log', hostile), '--format', 'html');
    expect(out).toContain('<svg');
    expect(out).not.toMatch(/<script|http:|https:/);
  });

  test('a file without a log ends with 2 and its format called unknown, the others are still done', async () => {
    const { out, err, status } = await run(
      'boot',
      file('note.txt', 'nothing here\n'),
      file('boot.log', before[0] ?? ''),
    );
    expect(status).toBe(2);
    expect(err).toContain('format unknown');
    expect(out).toContain('plum_bus_init');
  });

  test('a file that is not there ends with 3', async () => {
    expect((await run('boot', join(folder, 'no-such.log'))).status).toBe(3);
  });

  test('a wish that is no time ends with 2', async () => {
    expect((await run('boot', file('boot.log', before[0] ?? ''), '--what-if', 'plum')).status).toBe(2);
  });
});

describe('reveille measure', () => {
  test('compares logs: the local saving and what the boot gained', async () => {
    const a = before.map((t, i) => file(`before${String(i)}.log`, t));
    const b = after.map((t, i) => file(`after${String(i)}.log`, t));
    const { out, status } = await run('measure', '--before', ...a, '--after', ...b);
    expect(status).toBe(0);
    expect(out).toContain('260 ms less after; 2 runs a side: under 4 a side, no verdict');
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^verdict: /);
  });

  test('its JSON is what the schema says; files of numbers, in ms where they have no unit', async () => {
    const a = file('a.txt', '# ms\n200\n201\n202.5\n203\n');
    const b = file('b.txt', '10\n11\n12000 us\n13\n');
    const { out } = await run('measure', '--before', a, '--after', b, '--format', 'json');
    const validate = schema('reveille.measure.v1.json');
    const result = JSON.parse(out) as { measurements: { after: number[]; savedUs: number; verdict: string }[] };
    expect(validate(result), JSON.stringify(validate.errors)).toBe(true);
    expect(result.measurements[0]?.after).toEqual([10_000, 11_000, 12_000, 13_000]);
    expect(result.measurements[0]?.verdict).toMatch(/^faster by 190/);
  });

  test('a page has both sets drawn', async () => {
    const { out } = await run(
      'measure',
      '--before',
      file('a.txt', '2\n3\n'),
      '--after',
      file('b.txt', '1\n2\n'),
      '--format',
      'html',
    );
    expect(out).toContain('<circle');
  });

  test('a mail with both sides needs no other argument', async () => {
    const mail = `From: A Developer <a@example.org>\nSubject: numbers\nMessage-ID: <1@example.org>\nDate: Mon, 30 Nov 2026 10:00:00 +0000\n\nBefore:\n[    1.000000] pear: loading\n[    1.400000] pear pear0: ready\n\nAfter:\n[    1.000000] pear: loading\n[    1.100000] pear pear0: ready\n`;
    expect((await run('measure', file('numbers.eml', mail))).out).toContain('300 ms less after');
  });

  test('two mails with a side each are compared', async () => {
    const mail = (id: string, side: string, ready: string): string =>
      `From: A Developer <a@example.org>\nSubject: numbers\nMessage-ID: <${id}@example.org>\n\n${side}:\n[    1.000000] pear: loading\n[    ${ready}] pear pear0: ready\n`;
    const [a, b] = [mail('1', 'Before', '1.400000'), mail('2', 'After', '1.150000')];
    expect((await run('measure', file('a.eml', a), file('b.eml', b))).out).toContain('250 ms less after');
  });

  test('nothing to compare ends with 2', async () => {
    expect((await run('measure')).status).toBe(2);
    expect(
      (
        await run(
          'measure',
          '--before',
          file('a.txt', '2\n'),
          '--after',
          file('c.log', '[    1.000000] x\n[    1.100000] y\n'),
        )
      ).status,
    ).toBe(2);
  });
});
