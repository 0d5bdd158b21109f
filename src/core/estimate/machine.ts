import {
  busyMachine,
  formatVersion,
  idleMachine,
  newestEraAt,
  parseVersion,
  versionOf,
  type KernelVersion,
  type Machine,
  type Rival,
} from '../kernel/index.js';
import type { Assumption } from './estimate.js';
import type { LogWindow } from './log-window.js';
import type { Profile } from './profile.js';

type Told = {
  readonly options: { readonly hz?: number; readonly date?: string; readonly load?: { readonly cpus: number } };
  readonly profile: Profile | undefined;
  readonly kernel: KernelVersion | undefined;
  readonly window: LogWindow | undefined;
};

const defaultHz = 250;

/** The machine of an estimate without a fit: by flag, log or profile, else the commonest; with what is assumed of it. */
export function machineOf(context: Told): { machine: Machine; assumptions: Assumption[] } {
  const { options, profile, kernel, window } = context;
  const profileKernel = profile?.kernel === undefined ? undefined : parseVersion(profile.kernel);
  const rate = options.hz ?? window?.hz ?? profile?.hz ?? defaultHz;
  const from =
    options.hz !== undefined
      ? 'flag'
      : window?.hz !== undefined
        ? 'log'
        : profile?.hz !== undefined
          ? 'profile'
          : 'default';
  const version =
    kernel ??
    profileKernel ??
    (window?.unitNs === 1024
      ? { major: 5, minor: 17 }
      : versionOf(options.date === undefined ? '>=6.13' : newestEraAt(options.date)));
  const versionFrom =
    kernel !== undefined
      ? 'flag'
      : profileKernel !== undefined
        ? 'profile'
        : window?.unitNs === 1024
          ? 'log'
          : 'default';
  const { load } = options;
  const base = load === undefined ? idleMachine(rate, version) : busyMachine(rate, version, load);
  return {
    machine: { ...base, highres: window?.lowres !== true },
    assumptions: [
      { name: 'hz', value: rate, from },
      { name: 'kernel', value: formatVersion(version), from: versionFrom },
      ...(base.rival === undefined ? [] : [loadOf(base.rival)]),
    ],
  };
}

function loadOf({ cpus, preemption }: Rival): Assumption {
  const words = `a task that never sleeps on the driver's CPU (of ${cpus}; ${preemption} preemption); before, the driver computed for up to two ticks`;
  return { name: 'load', value: words, from: 'flag' };
}
