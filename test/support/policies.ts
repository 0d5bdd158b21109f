import { hours, minutes, type ListPolicy, type Policy, type PolicyState } from '../../src/core/review/index.js';

/** A list that has opted in, with caps that are not in the way. */
export function listPolicy(more: Partial<ListPolicy> = {}): ListPolicy {
  return {
    listId: 'wake.lists.example.org',
    address: 'wake@lists.example.org',
    channel: 'list',
    paths: { never: [] },
    subsystems: { never: [] },
    nits: { limit: 3, off: [] },
    rulesOff: [],
    subjectLimit: 75,
    copy: [],
    maintainers: ['maria@example.org'],
    ignore: [],
    caps: { hour: 100, day: 100, author: 100 },
    settle: minutes(20),
    embargo: hours(0),
    approval: 'first',
    ...more,
  };
}

export function policyOf(lists: readonly ListPolicy[], more: Partial<Policy> = {}): PolicyState {
  const policy: Policy = {
    self: { name: 'Reveille', address: 'reveille@bot.example.org' },
    aliases: ['reveille-old@bot.example.org'],
    operator: 'olga@example.org',
    ignore: [],
    caps: { hour: 100, day: 100, author: 100 },
    lists,
    ...more,
  };
  return { kind: 'policy', policy, hash: 'test' };
}
