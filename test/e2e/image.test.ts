import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, hasProgram, temporaryFolder } from '../support/servers/process-group.js';

const root = join(import.meta.dirname, '..', '..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/\\\n\s*/g, '');
const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');

/** The last line of a kind, without its first word. */
const last = (kind: string): string =>
  lines.findLast((line) => line.startsWith(`${kind} `))?.slice(kind.length + 1) ?? '';

/** Runs a program to its end, without anything of this process' environment. */
function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const child = spawn(command, [...args], { cwd: '/', env: { PATH: process.env.PATH ?? '', ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => void (text += part.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ status: code ?? -1, text }));
  });
}

describe('the image, without an engine to build it', () => {
  const folder = temporaryFolder('image');
  const app = join(folder.path, 'app');

  // What the second stage copies, by the words of the Dockerfile; the packages are those of this tree.
  beforeAll(() => {
    const second = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
    for (const line of second.filter((one) => one.startsWith('COPY '))) {
      const words = line
        .split(' ')
        .slice(1)
        .filter((word) => !word.startsWith('--'));
      const into = words.at(-1) ?? '';
      for (const word of words.slice(0, -1)) {
        const name = word.replace(/^\/app\//, '');
        if (name === 'node_modules') continue;
        cpSync(join(root, name), into === './' ? join(app, name) : join(app, into), { recursive: true });
      }
    }
    symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
  });
  afterAll(() => folder.remove());

  test('copies what is there and what the ignore file leaves in', () => {
    const sources = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true);
      const out = ignored.some((name) => name !== '' && (source === name || source.startsWith(`${name}/`)));
      expect(!out || ignored.includes(`!${source}`), `${source} is left out by .dockerignore`).toBe(true);
    }
  });

  test('is for an ordinary user, and starts by the link that it makes, with nothing but what it holds', async () => {
    expect(last('USER')).toBe('node');
    const program = /ln -s \/app(\/\S+) \/usr\/local\/bin\/reveille/.exec(dockerfile)?.[1] ?? '';
    const link = join(folder.path, 'reveille');
    symlinkSync(join(app, program), link);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await run(link, ['--version'])).toEqual({ status: 0, text: `${version}\n` });
    const doctor = await run(link, ['doctor', '--config', '/nowhere/settings.yaml']);
    expect(doctor).toMatchObject({ status: 2 });
    expect(doctor.text).toContain('/nowhere/settings.yaml: cannot be read');
  });

  test('its health check tells a daemon that is well from one that is not, and from none', async () => {
    const command = last('HEALTHCHECK').replace(/^.*? CMD /, '');
    const port = await freePort();
    const check = async (): Promise<number> =>
      (await run('/bin/sh', ['-c', command], { REVEILLE_HEALTH: `http://127.0.0.1:${port}/healthz` })).status;
    expect(await check()).toBe(1);
    let status = 200;
    const server = createServer((_, response) => response.writeHead(status).end('ok\n'));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });
});

const analyze = '/usr/bin/systemd-analyze';
test.skipIf(!hasProgram(analyze))('the systemd unit has no fault that systemd-analyze finds', async () => {
  const { status, text } = await run(analyze, ['verify', '--man=no', join(root, 'deploy', 'reveille.service')]);
  // A machine without /usr/bin/env or with other units of its own has nothing to do with ours.
  expect(text.split('\n').filter((line) => line.includes('reveille.service'))).toEqual([]);
  expect(status).toBe(0);
});
