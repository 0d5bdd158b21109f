import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMaintainers, parseMaintainers } from '../../src/shell/tree/index.js';

describe('what a kernel tree says about who looks after files', () => {
  const tree = mkdtempSync(join(tmpdir(), 'reveille-tree-'));
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);

  beforeAll(() => {
    mkdirSync(join(tree, 'scripts'));
    mkdirSync(join(tree, 'drivers', 'wake'), { recursive: true });
    writeFileSync(join(tree, 'MAINTAINERS'), 'WAKE DRIVER\n');
    writeFileSync(join(tree, 'drivers', 'wake', 'wake.c'), '');
    // A tree's script of our own: it names what it was asked for, and hangs where it is told to.
    const script = `my @files = grep { !/^-/ } @ARGV;
sleep 60 if grep { /slow/ } @files;
print "\\"Wanda W. Wake\\" <wanda\\@example.org> (maintainer:WAKE DRIVER)\\n";
print "Asked <$files[0]\\@example.org> (reviewer:WAKE DRIVER)\\n" if $files[0] !~ m{[ /]};
print "wake\\@lists.example.org (open list:WAKE DRIVER)\\n";
print "everything\\@lists.example.org (open list)\\n";
print "Files: @files (odd fixer:THE REST)\\n";
`;
    writeFileSync(join(tree, 'scripts', 'get_maintainer.pl'), script);
    chmodSync(join(tree, 'scripts', 'get_maintainer.pl'), 0o755);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  test('people and subsystems are named; lists are no people, THE REST is no subsystem', async () => {
    const ask = openMaintainers(tree, { say });
    expect(await ask(['drivers/wake/wake.c'])).toEqual({
      subsystems: ['WAKE DRIVER'],
      maintainers: [{ name: 'Wanda W. Wake', address: 'wanda@example.org', role: 'maintainer:WAKE DRIVER' }],
    });
  });

  test('a file that a patch adds is asked for by its folder; paths that lead out, or look like options, are not', async () => {
    const ask = openMaintainers(tree, { say });
    expect((await ask(['drivers/wake/new.c'])).subsystems).toEqual(['WAKE DRIVER']);
    for (const path of [
      '../../etc/passwd',
      '/etc/passwd',
      '--git',
      '-f',
      'drivers/../../x',
      'a\nb',
      'nowhere/at/all.c',
    ]) {
      expect(await ask([path])).toEqual({ subsystems: [], maintainers: [] });
    }
  });

  test('a script that hangs is ended, and says so', async () => {
    mkdirSync(join(tree, 'drivers', 'slow'), { recursive: true });
    const ask = openMaintainers(tree, { timeLimit: 500, say });
    expect(await ask(['drivers/slow/slow.c'])).toEqual({ subsystems: [], maintainers: [] });
    expect(said.join()).toContain('took longer than 500 ms');
  });

  test('a folder that is no kernel tree is refused', () => {
    expect(() => openMaintainers(tmpdir(), { say })).toThrow(/no kernel tree/);
  });

  test('lines that are none are passed over', () => {
    expect(parseMaintainers('\n(\n)\nx (y\n<> (maintainer:)\n').maintainers).toEqual([]);
  });
});
