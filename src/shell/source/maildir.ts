import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryMail, DirectoryReader } from './directory-watch.js';

// The clock may have been put back, and two machines may deliver: mails this much older than the newest known are looked at again.
const overlap = 3_600_000;
const headBytes = 64 * 1024;

type Waiting = { readonly name: string; readonly path: string; readonly size: number; readonly at: number };

/**
 * Reads a Maildir without touching it: mails stay in `new` or `cur` for whoever else reads there. A mail is known by its name up
 * to the flags; when it came is told by the inode's change time, which no program can set.
 */
export function maildirReader(path: string): DirectoryReader {
  const seen = new Set<string>();
  return {
    folders: () => [join(path, 'new'), join(path, 'cur')],
    async start() {
      // A first start begins at the newest mail.
      for (const { name } of await listMails(path, new Set(), 0)) seen.add(name);
      return JSON.stringify({ since: Date.now() });
    },
    async *sweep(cursor, sizeLimit) {
      const since = parseSince(cursor);
      const waiting = await listMails(path, seen, since - overlap);
      for (const mail of waiting) {
        const read = await readMail(mail, sizeLimit);
        if (read === undefined) continue;
        yield { ...read, cursor: JSON.stringify({ since: Math.max(since, mail.at) }) };
        seen.add(mail.name);
      }
    },
  };
}

function parseSince(cursor: string): number {
  return (JSON.parse(cursor) as { since: number }).since; // written by this file only
}

/** Mails that are not known, oldest first. Known names that are gone are forgotten. */
async function listMails(path: string, seen: Set<string>, from: number): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  const there = new Set<string>();
  for (const folder of ['new', 'cur']) {
    for (const file of await readdir(join(path, folder))) {
      if (file.startsWith('.')) continue;
      const name = file.split(':', 1)[0] ?? file;
      there.add(name);
      if (seen.has(name)) continue;
      const full = join(path, folder, file);
      const found = await stat(full).catch(() => undefined); // renamed by its reader meanwhile: the next sweep finds it
      if (found?.isFile() !== true) continue;
      if (found.ctimeMs < from) seen.add(name);
      else waiting.push({ name, path: full, size: found.size, at: Math.floor(found.ctimeMs) });
    }
  }
  for (const name of seen) if (!there.has(name)) seen.delete(name);
  return waiting.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
}

async function readMail(mail: Waiting, sizeLimit: number): Promise<Omit<DirectoryMail, 'cursor'> | undefined> {
  let file;
  try {
    file = await open(mail.path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const truncated = mail.size > sizeLimit;
    const bytes = truncated ? await readHead(file) : await file.readFile();
    return { bytes: new Uint8Array(bytes), arrived: Math.min(mail.at, Date.now()), truncated };
  } finally {
    await file.close();
  }
}

async function readHead(file: Awaited<ReturnType<typeof open>>): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}
