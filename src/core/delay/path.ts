import type { Flavour } from './catalogue.js';
import type { CodePath, Judged } from './change.js';
import { wordsOf } from './words.js';

type Rule = readonly [CodePath, RegExp, number];

// A word of a function's name that settles the matter, strongest first.
const STRONG: readonly Rule[] = [
  ['resume', /^(?:resume|wakeup|thaw|unfreeze)$/, 0.9],
  ['probe', /^(?:probe|attach|bind|enumerate|discover|identify|detect|scan|toggle)$/, 0.9],
  [
    'reset',
    /^(?:reset|resets|recover|recovery|reboot|restart|reinit|rst|flr|abort|hardreset|softreset|halt|hresetn|sbr|hotreset|srst)$/,
    0.85,
  ],
];

// Words of what runs at any time.
const RUNTIME =
  /^(?:suspend|freeze|xfer|transfer|irq|isr|interrupt|ioctl|read|write|send|recv|receive|open|close|stop|shutdown|remove|exit|tx|rx|work|worker|task|store|show|thread|handler|disable|down|off|idle|test|update|loopback|mtu|set|get|cmd|command|poll|watchdog|timer|fan|key|event|sync|flush|tune|tuning|capture|stream|playback|prepare|notify|queue|submit|complete|ethtool|selftest|diag|erase|program|charge|battery|monitor|temp|voltage|brightness|unplug|disconnect|release|free|dump|debugfs|sysfs)$/;

// Words of start-up: what a driver does once, from its probe or, in firmware and the core, while booting.
const START =
  /^(?:init|initialize|initialise|initialization|setup|boot|startup|bringup|early|load|download|firmware|fw|powerup|poweron|power|enable|up|start|link|linkup|train|training|speedup|deassert|assert|resetcore|configure|config|cfg|register|regulator|host|mode|ready|transition|phy|pll|calibrate|calibration|alloc|create|activate|wake|handshake|version|chip)$/;

const STRONG_START =
  /^(?:init|initialize|initialise|initialization|setup|boot|startup|bringup|load|powerup|poweron|firmware|fw|training|linkup)$/;

export type PathPlace = {
  /** Function, or the constant's name where there is none around it. */
  readonly name?: string;
  readonly file: string;
  readonly flavour: Flavour;
  readonly title: string;
};

/** Which path through the system code is on, by its function's name, its place in the tree and the subject. */
export function pathOf(place: PathPlace): Judged<CodePath> {
  const words = place.name === undefined ? [] : wordsOf(place.name);
  const firmware = place.flavour !== 'linux' && place.flavour !== 'rust' && place.flavour !== 'freebsd';
  const start: CodePath = firmware || STARTS_EARLY.test(place.file) ? 'init' : 'probe';
  for (const [path, pattern, sure] of STRONG) {
    const word = words.findLast((w) => pattern.test(w));
    if (word !== undefined) return { is: path, by: `"${word}" in the name`, sure };
  }
  const strongStart = words.findLast((w) => STRONG_START.test(w));
  if (strongStart !== undefined) return { is: start, by: `"${strongStart}" in the name`, sure: 0.8 };
  const runtime = words.findLast((w) => RUNTIME.test(w));
  if (firmware && !/^(?:net|fs|cmd|commands)\//.test(place.file))
    return { is: 'init', by: 'firmware runs once, while booting', sure: 0.7 };
  const lower = place.title.toLowerCase();
  const told = byTitle(lower, start);
  if (runtime === undefined) {
    if (told !== undefined) return told;
    const word = words.findLast((w) => START.test(w));
    const starts = STARTS.test(place.file);
    if (starts) return { is: start, by: 'code of this folder brings things up', sure: 0.6 };
    if (
      word !== undefined &&
      /^(?:powerup|deassert|link|linkup|train|resetcore|chip|regulator|host|mode|transition|pll|handshake)$/.test(word)
    )
      return { is: start, by: `"${word}" in the name`, sure: 0.5 };
  }
  if (told?.is === 'resume') return { ...told, sure: 0.5 };
  if (runtime !== undefined) return { is: 'runtime', by: `"${runtime}" in the name`, sure: 0.6 };
  if (place.name === undefined) return { is: 'unknown', by: 'no function around it', sure: 0.2 };
  return { is: 'runtime', by: 'nothing speaks of start-up', sure: 0.3 };
}

/** Folders whose code is initialised from initcalls or by a core, not by one device's probe. */
const STARTS_EARLY =
  /^(?:init\/|arch\/|kernel\/|drivers\/(?:phy|ufs|scsi\/ufs|clk|clocksource|soc|firmware|staging\/hikey9xx)\/|drivers\/net\/ethernet\/intel\/idpf\/)/;

/** Folders whose code mostly runs while a device is brought up. */
const STARTS = /^drivers\/(?:pci\/(?:controller|host)|phy|ufs|scsi\/ufs|nvme\/host|ata)\//;

function byTitle(title: string, start: CodePath): Judged<CodePath> | undefined {
  if (/\bresume\b|\bwake-?up\b/.test(title)) return { is: 'resume', by: 'the subject speaks of resuming', sure: 0.6 };
  if (/\bprobe\b|\bprobing\b/.test(title)) return { is: 'probe', by: 'the subject speaks of probing', sure: 0.6 };
  if (/\bboot|\binitiali[sz]|\binit\b|start-?up\b|load time|load fail|driver load/.test(title))
    return { is: start, by: 'the subject speaks of start-up', sure: 0.6 };
  if (/\breset\b|\brecovery\b/.test(title)) return { is: 'reset', by: 'the subject speaks of a reset', sure: 0.5 };
  return undefined;
}
