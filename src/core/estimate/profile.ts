import type { Ns } from '../kernel/index.js';

/** How long a device takes from the command to being ready, by shares of all cases: [0.5, 8 us] is the median. */
export type ReadyTime = readonly { readonly share: number; readonly at: Ns }[];

/** What is known of one machine or device: one file in config/profiles. */
export type Profile = {
  readonly name: string;
  readonly title: string;
  /** Path prefixes of the drivers it is about. */
  readonly files: readonly string[];
  /** Functions it is about; all of the files' where absent. */
  readonly functions?: readonly string[];
  readonly ready: ReadyTime;
  readonly hz?: number;
  readonly kernel?: string;
  /** Where, when and on which kernel the numbers were taken. */
  readonly source: string;
};

/** The profile for a place in the code, if there is one: the one with the longest matching path. */
export function findProfile(profiles: readonly Profile[], file: string, func: string | undefined): Profile | undefined {
  let best: { readonly profile: Profile; readonly length: number } | undefined;
  for (const profile of profiles) {
    if (profile.functions !== undefined && (func === undefined || !profile.functions.includes(func))) continue;
    for (const prefix of profile.files) {
      if (file.startsWith(prefix) && prefix.length > (best?.length ?? -1)) best = { profile, length: prefix.length };
    }
  }
  return best?.profile;
}

/** The ready time at a share (0..1) of all cases: straight lines between the known ones. */
export function readyAt(ready: ReadyTime, share: number): Ns {
  const sorted = [...ready].sort((a, b) => a.share - b.share);
  const above = sorted.findIndex((p) => p.share >= share);
  const high = above < 0 ? sorted.at(-1) : sorted[above];
  const low = above <= 0 ? high : sorted[above - 1];
  if (high === undefined || low === undefined) return 0;
  if (high.share === low.share) return high.at;
  return Math.round(low.at + ((high.at - low.at) * (share - low.share)) / (high.share - low.share));
}
