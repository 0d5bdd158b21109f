/** Which project's code a name belongs to; the files that a patch touches tell. */
export type Flavour = 'linux' | 'freebsd' | 'u-boot' | 'barebox' | 'coreboot' | 'rust';

export type ApiKind = 'sleep' | 'busy' | 'poll' | 'wait' | 'work' | 'timer' | 'conversion' | 'yield';

/** What a bare number means in an argument. A `-deadline` is absolute: now plus the span. */
export type ArgumentUnit =
  | 's'
  | 'ms'
  | 'us'
  | 'ns'
  | 'jiffies'
  | 'jiffies-deadline'
  | 'ktime'
  | 'ticks'
  | 'sbintime'
  | 'delta'
  | 'ms-table'
  | 'loops'
  | 'xloops'
  | 'struct';

/** An example call with what it means; the tests run them. */
export type ApiReading = { readonly call: string; readonly span?: string; readonly limit?: string };

/** One delaying name of the catalogue. Arguments are counted from 0. */
export type Api = {
  readonly name: string;
  readonly flavour: Flavour;
  readonly kind: ApiKind;
  readonly clock: 'wheel' | 'hrtimer' | 'busy' | 'auto' | 'scheduler' | 'none';
  /** Where the delay or the interval stands: one argument, or the two ends of a range. */
  readonly span?: { readonly from: number; readonly to: number; readonly unit: ArgumentUnit };
  /** Where the upper bound stands. */
  readonly limit?: { readonly argument: number; readonly unit: ArgumentUnit };
  /** May be called where sleeping is forbidden; absent where nobody has looked. */
  readonly atomic?: boolean;
  readonly arguments: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly seen: readonly string[];
  readonly source: string;
  readonly reads: readonly ApiReading[];
  readonly note?: string;
  /** The catalogue file that it comes from. */
  readonly file: string;
};

/** The catalogue of delaying calls, read from config/delays by the shell. */
export type Catalogue = { readonly apis: readonly Api[] };

const indexes = new WeakMap<Catalogue, Index>();

/** The newest meaning of a name in code of this flavour; firmware falls back on nothing but its own entries and Linux'. */
export function findApi(catalogue: Catalogue, flavour: Flavour, name: string): Api | undefined {
  const index = indexOf(catalogue);
  const own = index.get(flavour)?.get(name);
  if (own !== undefined || flavour === 'rust' || flavour === 'freebsd') return own;
  return index.get('linux')?.get(name);
}

type Index = ReadonlyMap<Flavour, ReadonlyMap<string, Api>>;

function indexOf(catalogue: Catalogue): Index {
  const known = indexes.get(catalogue);
  if (known !== undefined) return known;
  const index = new Map<Flavour, Map<string, Api>>();
  // Entries of one name stand from old to new: the last is today's.
  for (const api of catalogue.apis) {
    const names = index.get(api.flavour) ?? new Map<string, Api>();
    index.set(api.flavour, names.set(api.name, api));
  }
  indexes.set(catalogue, index);
  return index;
}
