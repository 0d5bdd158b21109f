import type { DelayChange } from '../delay/index.js';
import { formatNs, type Ns } from '../kernel/index.js';
import type { LogWindow } from './log-window.js';

/** Whether a wait holds up the boot, and by what that is known. */
export function bootPathOf(
  change: DelayChange,
  window: LogWindow | undefined,
  saved: Ns,
): { bootPath: 'on' | 'off' | 'unknown'; bootPathBy: string } {
  const { initSaved, initcall } = window ?? {};
  if (initSaved !== undefined && saved > 0) {
    const words = `the logs: init starts ${formatNs(Math.abs(initSaved))} ${initSaved < 0 ? 'later' : 'sooner'} from the same line`;
    if (initSaved > saved / 2) return { bootPath: 'on', bootPathBy: words };
    if (initSaved < saved / 10) return { bootPath: 'off', bootPathBy: `${words}: something else ends last` };
  }
  if (initcall !== undefined) return { bootPath: 'on', bootPathBy: `the log: ${initcall} returns only after the wait` };
  const { is, by } = change.path;
  switch (is) {
    case 'init':
    case 'probe':
      return {
        bootPath: 'on',
        bootPathBy: `${by}; unless the driver is probed asynchronously and is not the last to end`,
      };
    case 'resume':
      return { bootPath: 'off', bootPathBy: `${by}: resume, not boot` };
    case 'runtime':
      return { bootPath: 'off', bootPathBy: by };
    case 'reset':
      return { bootPath: 'unknown', bootPathBy: `${by}: a reset, which the boot may or may not wait for` };
    case 'unknown':
      return { bootPath: 'unknown', bootPathBy: by === '' ? 'the patch does not show who calls it' : by };
    default:
      return is satisfies never;
  }
}

/** What the boot saves of it: a wait off its path gains nothing, however much shorter it gets. */
export function bootSavedOf<T>(path: 'on' | 'off' | 'unknown', saved: T): { bootSaved?: T | typeof nothing } {
  if (path === 'unknown') return {};
  return { bootSaved: path === 'on' ? saved : nothing };
}

const nothing = { min: 0, likely: 0, max: 0 };
