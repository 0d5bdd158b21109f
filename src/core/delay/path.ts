import type { Flavour } from './catalogue.js';
import type { CodePath, Judged } from './change.js';
import { wordsOf } from './words.js';

type Rule = readonly [CodePath, RegExp, number];

// A word of a function's name that settles the matter, strongest first.
const STRONG: readonly Rule[] = [
  ['resume', /^(?:resume|thaw|unfreeze)$/, 0.9],
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
  /** The commit message. */
  readonly log: readonly string[];
  /** Functions that are seen to call it. */
  readonly callers: () => readonly string[];
};

/** Which path through the system code is on, by its function's name, its place in the tree and the subject. */
export function pathOf(place: PathPlace): Judged<CodePath> {
  const words = place.name === undefined ? [] : wordsOf(place.name);
  const firmware = place.flavour !== 'linux' && place.flavour !== 'rust' && place.flavour !== 'freebsd';
  const start: CodePath = firmware || STARTS_EARLY.test(place.file) ? 'init' : 'probe';
  // Taking a device out of reset is how it is started, whatever the word "reset" says.
  if (words.some((w) => /^(?:deassert|assert)$/.test(w)) && words.some((w) => /^(?:reset|rst|perst)$/.test(w)))
    return { is: start, by: 'a reset line is set or released', sure: 0.6 };
  for (const [path, pattern, sure] of STRONG) {
    const word = words.findLast((w) => pattern.test(w));
    if (word !== undefined) return { is: path, by: `"${word}" in the name`, sure };
  }
  const strongStart = words.findLast((w) => STRONG_START.test(w));
  if (strongStart !== undefined) return { is: start, by: `"${strongStart}" in the name`, sure: 0.8 };
  const runtime = words.findLast((w) => RUNTIME.test(w));
  if (firmware && !/^(?:net|fs|cmd|commands)\//.test(place.file))
    return { is: 'init', by: 'firmware runs once, while booting', sure: 0.7 };
  const told = byTitle(place.title.toLowerCase(), start);
  if (told === undefined && words.includes('wakeup')) return { is: 'resume', by: '"wakeup" in the name', sure: 0.7 };
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
  return byCallers(place, start) ?? byLog(place.log) ?? byFolder(place.file, start);
}

/** Functions of the patch that call it, where their names tell what its own does not. */
function byCallers(place: PathPlace, start: CodePath): Judged<CodePath> | undefined {
  for (const caller of place.callers()) {
    const words = wordsOf(caller);
    const strong = STRONG.find(([, pattern]) => words.some((w) => pattern.test(w)));
    const by = `${caller}() calls it`;
    if (strong !== undefined) return { is: strong[0], by, sure: 0.6 };
    if (words.some((w) => STRONG_START.test(w))) return { is: start, by, sure: 0.6 };
  }
  return undefined;
}

/** What a commit message says of when it happens, where the name says nothing: the path that it speaks of most. */
function byLog(log: readonly string[]): Judged<CodePath> | undefined {
  const text = log
    .filter((l) => !/^[A-Z][\w-]+: /.test(l))
    .join(' ')
    .slice(0, 6000);
  const counts = TOLD.map(([path, pattern]) => ({ path, n: [...text.matchAll(pattern)].length }));
  const best = counts.reduce((a, b) => (b.n > a.n ? b : a));
  // Talk of starting up is everywhere and proves nothing: of four such guesses none was right.
  if (best.n === 0 || best.path === 'probe' || counts.some((c) => c !== best && c.n === best.n)) return undefined;
  return { is: best.path, by: `the message speaks of ${WORD_FOR[best.path]}`, sure: 0.45 };
}

const TOLD: readonly (readonly ['probe' | 'resume' | 'reset' | 'runtime', RegExp])[] = [
  [
    'probe',
    /\b(?:prob(?:e|es|ed|ing)|boot\w*|initiali[sz]\w*|init|start-?up|bring-?up|power(?:ed|ing)?[- ]?(?:on|up))\b/gi,
  ],
  ['resume', /\b(?:resum\w+|wake-?ups?|waking|s2idle)\b/gi],
  ['reset', /\b(?:resets?|resetting|recover\w*|reboot\w*)\b/gi],
  [
    'runtime',
    /\b(?:transfers?|read(?:s|ing)?|writ(?:e|es|ing)|commands?|poll(?:s|ed|ing)?|interrupts?|throughput|runtime|stream\w*|close|tuning|measurements?|samples?)\b/gi,
  ],
];
const WORD_FOR = { resume: 'resuming', reset: 'resets', runtime: 'use' } as const;

/** Where the name and the message say nothing, what is true of most such functions of the folder. */
function byFolder(file: string, start: CodePath): Judged<CodePath> {
  for (const [folder, path, share] of FOLDERS) {
    if (!file.startsWith(`drivers/${folder}/`) && !file.startsWith(`${folder}/`)) continue;
    const is = path === 'probe' ? start : path;
    const reached = path === 'probe' ? 'are reached from a probe' : 'are not reached from a probe';
    return { is, by: `${share} % of such functions in ${folder}/ ${reached}`, sure: share / 200 };
  }
  if (!/^(?:drivers|net|sound|fs|block|mm|arch|kernel|include|lib|security)\//.test(file)) {
    return { is: 'unknown', by: 'neither name, message nor folder tells', sure: 0 };
  }
  return { is: 'runtime', by: 'not named for start-up, in a folder where either may be', sure: 0.25 };
}

/**
 * Of functions that wait and have no word of start-up, resume or reset in their names, the percentage that static callers in
 * the same file lead to from a probe or an init function, or do not. Counted over half of the files of Linux 6.12. Folders of
 * less than six in seven from a probe are left out: such functions mostly run in use as well, and a reader means that.
 */
const FOLDERS: readonly (readonly [string, 'probe' | 'runtime', number])[] = [
  ['auxdisplay', 'probe', 90],
  ['bluetooth', 'probe', 90],
  ['comedi', 'probe', 86],
  ['dma', 'probe', 90],
  ['net/mdio', 'probe', 90],
  ['net/usb', 'probe', 90],
  ['pmdomain', 'probe', 88],
  ['usb/gadget', 'probe', 90],
  ['sound/pci/ice1712', 'probe', 87],
  ['clk', 'runtime', 89],
  ['i2c', 'runtime', 76],
  ['iio', 'runtime', 56],
  ['misc', 'runtime', 74],
  ['net/wireless', 'runtime', 53],
  ['platform', 'runtime', 65],
  ['soc', 'runtime', 62],
  ['thunderbolt', 'runtime', 54],
];

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
