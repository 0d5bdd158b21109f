import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findNearest, loadPolicy, parsePeriod, parsePolicy } from '../../src/shell/config/index.js';

const self = 'self: { name: Bot, address: bot@example.org }\n';

function whyOf(text: string): string {
  const state = parsePolicy(text, 'policy.yaml');
  return state.kind === 'none' ? state.why : 'it was read';
}

describe('the policy', () => {
  test('the shipped example is read, names its list exactly and only runs dry', async () => {
    const state = await loadPolicy(join(import.meta.dirname, '..', '..', 'config', 'policy.yaml'));
    if (state.kind !== 'policy') throw new Error(state.why);
    expect(state.policy.lists.map((l) => [l.listId, l.channel])).toEqual([
      ['linux-nvme.lists.infradead.org', 'dry-run'],
    ]);
    const addresses = [state.policy.self.address, state.policy.operator, ...state.policy.lists.map((l) => l.address)];
    expect(addresses.every((a) => /@(?:[\w-]+\.)*example\.org$/.test(a ?? ''))).toBe(true);
  });

  test('a missing or unreadable policy is a value that sends nothing and says why', async () => {
    expect(await loadPolicy(undefined)).toEqual({ kind: 'none', why: 'no policy is given' });
    expect(await loadPolicy('/nowhere/policy.yaml')).toEqual({
      kind: 'none',
      why: '/nowhere/policy.yaml: cannot be read (ENOENT)',
    });
    expect(await loadPolicy(import.meta.dirname)).toMatchObject({ kind: 'none' });
  });

  test('an unknown key is an error with file, line and the nearest known key', () => {
    expect(whyOf(`${self}list: {}\n`)).toBe('policy.yaml:2: unknown key "list"; did you mean "lists"?');
    const deep = `${self}lists:\n  wake.lists.example.org:\n    address: w@example.org\n    caps:\n      hour: 1\n      dya: 2\n`;
    expect(whyOf(deep)).toBe(
      'policy.yaml:7: unknown key "dya" in lists.wake.lists.example.org.caps; did you mean "day"?',
    );
    expect(whyOf(`${self}zzzzzzzzzzzzz: 1\n`)).toContain('known are self, aliases');
  });

  test('a wrong value is an error with its line', () => {
    const list = (line: string): string =>
      whyOf(`${self}lists:\n  wake.lists.example.org:\n    address: w@example.org\n    ${line}\n`);
    expect(list('settle: 20')).toContain('policy.yaml:5: ');
    expect(list('settle: 20 minutes')).toContain(
      'policy.yaml:5: lists.wake.lists.example.org.settle: must be a time with its unit',
    );
    expect(list('channel: public')).toContain('policy.yaml:5: ');
    expect(list('nits: { limit: 4 }')).toContain('policy.yaml:5: ');
    expect(list('worth: [everything]')).toContain('policy.yaml:5: ');
    expect(list('maintainers: ["Maria <maria@example.org>"]')).toContain('one plain address');
  });

  test.each([
    ['no YAML', 'a: [', ':1: '],
    ['a repeated key', `${self}${self}`, ':2: Map keys must be unique'],
    ['a list', '- 1\n', ':1: '],
    ['nothing', '', ':1: self'],
    ['a List-Id with brackets', `${self}lists:\n  "<wake.example.org>": { address: w@example.org }\n`, ':3: '],
    [
      'a List-Id in capitals, which would never match',
      `${self}lists:\n  Wake.example.org: { address: w@example.org }\n`,
      ':3: ',
    ],
    [
      'a bomb of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
      ':1: ',
    ],
    ['too much', 'x'.repeat(2_000_000), ':1: is larger'],
  ])('%s sends nothing', (_, text, what) => {
    expect(whyOf(text)).toContain(`policy.yaml${what}`);
  });

  test('a list without a channel is off', () => {
    const state = parsePolicy(`${self}lists:\n  wake.example.org: { address: w@example.org }\n`, 'p');
    expect(state).toMatchObject({ policy: { lists: [{ channel: 'none', approval: 'first', nits: { limit: 3 } }] } });
  });
});

test('times carry their unit', () => {
  expect([
    parsePeriod('20 min'),
    parsePeriod('2h'),
    parsePeriod('1.5 h'),
    parsePeriod('0 s'),
    parsePeriod('1 d'),
  ]).toEqual([1_200_000, 7_200_000, 5_400_000, 0, 86_400_000]);
  for (const none of ['20', 'min', '-1 h', '1 m', '1e3 s', '20 min later']) expect(parsePeriod(none)).toBeUndefined();
});

test('the nearest key is near, or none is named', () => {
  expect(findNearest('chanel', ['caps', 'channel'])).toBe('channel');
  expect(findNearest('zzzzzzzz', ['caps', 'channel'])).toBeUndefined();
});
