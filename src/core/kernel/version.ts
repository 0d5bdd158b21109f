/** A kernel version as far as meanings changed with it. */
export type KernelVersion = { readonly major: number; readonly minor: number };

/** Where the meaning of a sleep changed: msleep() lost a jiffy in 6.12 (4381b895f544), fsleep() its factor two in 6.13 (82e11e47c188). */
export type Era = '<=6.11' | '6.12' | '>=6.13';

/** All eras, newest first. */
export const eras: readonly Era[] = ['>=6.13', '6.12', '<=6.11'];

/** `6.12`, `v6.12-rc3`, `5.10.223-hz250` as a version; undefined for anything else. */
export function parseVersion(text: string): KernelVersion | undefined {
  const match = /^v?(\d{1,3})\.(\d{1,4})(?![\d])/.exec(text.trim());
  if (match === null) return undefined;
  const version = { major: Number(match[1]), minor: Number(match[2]) };
  return version.major >= 2 ? version : undefined;
}

/** Below zero when `a` is the older. */
export function compareVersions(a: KernelVersion, b: KernelVersion): number {
  return a.major - b.major || a.minor - b.minor;
}

export function isAtLeast(version: KernelVersion, major: number, minor: number): boolean {
  return compareVersions(version, { major, minor }) >= 0;
}

export function eraOf(version: KernelVersion): Era {
  if (isAtLeast(version, 6, 13)) return '>=6.13';
  return isAtLeast(version, 6, 12) ? '6.12' : '<=6.11';
}

/** A version that stands for its era. */
export function versionOf(era: Era): KernelVersion {
  switch (era) {
    case '<=6.11':
      return { major: 6, minor: 11 };
    case '6.12':
      return { major: 6, minor: 12 };
    case '>=6.13':
      return { major: 6, minor: 13 };
    default:
      return era satisfies never;
  }
}

export function formatVersion(version: KernelVersion): string {
  return `${version.major}.${version.minor}`;
}

/** The newest era that a kernel can be of at a date: when the changes were merged for 6.12-rc1 and 6.13-rc1. */
export function newestEraAt(isoDate: string): Era {
  if (isoDate < '2024-09-15') return '<=6.11';
  return isoDate < '2024-11-18' ? '6.12' : '>=6.13';
}
