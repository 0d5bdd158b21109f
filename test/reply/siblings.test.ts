import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composeBody } from '../../src/core/reply/index.js';
import type { Review } from '../../src/core/review/index.js';
import { reviewEach } from '../support/review-files.js';

async function firstReview(): Promise<Review> {
  for await (const { review, reply } of reviewEach([join(import.meta.dirname, '..', '..', 'examples')])) {
    if (reply?.body.includes('Predicted:') === true) return review;
  }
  throw new Error('no example has a reply with a prediction');
}

function flat(body: string): string {
  return body.replace(/\s+/g, ' ');
}

test('a reply names two places of the tree that poll alike and counts the rest', async () => {
  const review = await firstReview();
  const sibling = (name: string) => ({
    file: `drivers/${name}/com.c`,
    function: `${name}_wait`,
    text: 'msleep(100)',
    line: 8,
  });
  const changes = review.changes.map((c) => ({ ...c, siblings: ['aunt', 'cousin', 'niece'].map(sibling) }));
  const body = composeBody({ ...review, changes }, 'ops@example.org');
  expect(flat(body)).toContain(
    'Places in the tree that poll alike: aunt_wait() in drivers/aunt/com.c (msleep(100)), and cousin_wait() in drivers/cousin/com.c (msleep(100)); 1 more like them.',
  );
  expect(body.split('\n').filter((l) => !l.startsWith('>') && l.length > 72)).toEqual([]);
});

test('a reply without a tree says nothing of other places', async () => {
  expect(composeBody(await firstReview(), 'ops@example.org')).not.toContain('in the tree');
});
