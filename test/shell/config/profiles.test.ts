import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readyAt } from '../../../src/core/estimate/index.js';
import { loadProfiles, parseProfile, readProfiles } from '../../../src/shell/config/index.js';

const folder = join(import.meta.dirname, '..', '..', '..', 'config', 'profiles');
const good = `title: Quux
default: true
files: [drivers/misc/quux/]
ready:
  - { share: 0.5, at: 200us }
  - { share: 1, at: 1.5 ms }
hz: 300
kernel: "6.1"
source: invented
`;

describe('hardware profiles', () => {
  test('every file in config/profiles is one', () => {
    const all = readProfiles(folder);
    expect(all).toHaveLength(readdirSync(folder).length);
    expect(all.length).toBeGreaterThan(0);
  });

  test('only default ones apply unless one is asked for', () => {
    const names = loadProfiles(folder).map((p) => p.name);
    const extra = readProfiles(folder).find((p) => !p.isDefault)?.profile.name ?? '';
    expect(names).not.toContain(extra);
    expect(loadProfiles(folder, [extra]).map((p) => p.name)).toContain(extra);
    expect(() => loadProfiles(folder, ['quuux'])).toThrow(/no profile "quuux"; there are/);
  });

  test('its times carry their unit, and shares between two are on the line between them', () => {
    const { profile } = parseProfile(good, 'quux', 'quux.yaml');
    expect(readyAt(profile.ready, 0.75)).toBe(850_000);
    expect(readyAt(profile.ready, 0)).toBe(200_000);
  });

  test.each([
    ['at: 200us', 'at: 200', /quux.yaml:5: .*expected string/],
    ['hz: 300', 'hz: 7', /quux.yaml:7: .*HZ/],
    ['kernel:', 'kernal:', /quux.yaml:8: unknown key "kernal"/],
    ['source: invented\n', '', /source/],
    ['share: 1,', 'share: 0.1,', /must rise/],
    ['title: Quux', 'title: [', /quux.yaml:/],
  ])('with %j as %j it is refused with file and line', (from, to, words) => {
    expect(() => parseProfile(good.replace(from, to), 'quux', 'quux.yaml')).toThrow(words);
  });
});
