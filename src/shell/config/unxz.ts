import { spawn } from 'node:child_process';

const patience = 20_000;

/** Unpacks xz by the program of that name; undefined where it is missing, fails, or has more than `most` bytes to give. */
export function unxz(bytes: Uint8Array, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    // A memory limit: a header may ask for a dictionary of gigabytes.
    const child = spawn('xz', ['-dc', '--memlimit=256MiB'], { stdio: ['pipe', 'pipe', 'ignore'], timeout: patience });
    const chunks: Buffer[] = [];
    let size = 0;
    child.on('error', () => resolve(undefined));
    // xz ends early on damaged input; its exit status says so.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) child.kill();
      else chunks.push(chunk);
    });
    child.on('close', (status) => resolve(status === 0 && size <= most ? Buffer.concat(chunks) : undefined));
    child.stdin.end(bytes);
  });
}
