import { gunzipSync } from 'node:zlib';
import { scanHead } from './head.js';
import { readMimeParts } from './mime-parts.js';
import { mailSizeCap } from './parse-message.js';

// A forwarded thread; more is an archive, which is no attachment.
const inflateCap = 32 * 1024 * 1024;

/** The mboxes attached to a mail (application/mbox or named .mbox, also gzipped), inflated, in order. */
export async function attachedMboxes(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
  const head = scanHead(bytes.subarray(0, mailSizeCap));
  const tree = await readMimeParts(head, bytes.subarray(head.bodyStart, mailSizeCap));
  const found: Uint8Array[] = [];
  for (const part of tree.parts) {
    if (part.type !== 'application/mbox' && !/\.(?:mbox|mbx)(?:\.gz)?$/i.test(part.name ?? '')) continue;
    const mbox = inflated(part.bytes);
    if (mbox !== undefined && Buffer.from(mbox.subarray(0, 5)).toString('latin1') === 'From ') found.push(mbox);
  }
  return found;
}

function inflated(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: inflateCap });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined; // parseMessage reports it as a problem of the mail
  }
}
