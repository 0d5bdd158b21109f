import { expect, test } from 'vitest';
import { examplePolicy } from '../../src/shell/cli/archive.js';

test('a list that an archive brings is written to at its own address, not at that of the example', async () => {
  const { lists } = await examplePolicy(['linux-quux.lists.example.org', 'nodots']);
  const addresses = new Map(lists.map((list) => [list.listId, list.address]));
  expect(addresses.get('linux-quux.lists.example.org')).toBe('linux-quux@lists.example.org');
  expect(addresses.get('nodots')).toBe(lists[0]?.address);
});
