/** Whether kernel version `kernel` (absent: the newest) is at least `since`, both such as `6.12`. */
export function isSince(kernel: string | undefined, since: string): boolean {
  if (kernel === undefined) return true;
  const [major = 0, minor = 0] = numbers(kernel);
  const [wantedMajor = 0, wantedMinor = 0] = numbers(since);
  return major !== wantedMajor ? major > wantedMajor : minor >= wantedMinor;
}

function numbers(version: string): number[] {
  return version.replace(/^v/, '').split('.', 3).map(Number);
}
