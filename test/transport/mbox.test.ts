import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mboxTransport } from '../../src/shell/transport/index.js';

const yes = (): Promise<boolean> => Promise.resolve(true);

test('a line that begins with "From " is quoted, so that the file splits where it should', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-mbox-'));
  try {
    const path = join(folder, 'out.mbox');
    const bytes = Buffer.from('Message-ID: <a@example.org>\r\n\r\nFrom here on\r\n>From there\r\n');
    const mail = { messageId: '<a@example.org>', envelope: { from: 'a@example.org', to: ['b@example.org'] }, bytes };
    const out = mboxTransport(path);
    await out.send(mail, yes);
    await out.send(mail, yes);
    const entry =
      'From mboxrd@z Thu Jan  1 00:00:00 1970\nMessage-ID: <a@example.org>\n\n>From here on\n>>From there\n\n';
    expect(readFileSync(path, 'utf8')).toBe(entry + entry);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
