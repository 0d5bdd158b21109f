/**
 * The part of a log line that is the same from boot to boot: addresses, sizes, process ids and durations go, device
 * names stay, so that lines of nvme0 and nvme1 are never taken for each other.
 */
export function stampKey(body: string): string {
  return body
    .slice(0, 160)
    .replace(/\+0x[0-9a-f]{1,9}\/0x[0-9a-f]{1,9}/g, '')
    .replace(/ after \d{1,12} usecs?/g, '')
    .replace(/ @ \d{1,9}$/, '')
    .replace(/\b0x[0-9a-f]{2,16}\b/g, '0x*')
    .replace(/\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b/g, '*:*')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '*-*')
    .replace(/ \d{1,9}[Kk]\b/g, ' *K')
    .replace(/ {2,20}/g, ' ')
    .trim();
}
