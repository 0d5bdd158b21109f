import type { Flavour } from './catalogue.js';
import type { CodePath, Judged } from './change.js';
import { wordsOf } from './words.js';

type Rule = readonly [CodePath, RegExp, number];

// A word of a function's name that settles the matter, strongest first.
const STRONG: readonly Rule[] = [
  ['resume', /^(?:resume|thaw|unfreeze)$/, 0.9],
  ['probe', /^(?:probe|attach|bind|enumerate|discover|identify)$/, 0.9],
  [
    'reset',
    /^(?:reset|resets|resetting|devreset|recover|recovery|reboot|restart|rst|flr|abort|hardreset|softreset|halt|hresetn|sbr|hotreset|srst)$/,
    0.85,
  ],
];

// Words of what runs at any time.
const RUNTIME =
  /^(?:l2|l23|turnoff|poweroff|powerdown|pwrdn|unregister|dealloc|cleanup|teardown|deinit|uninit|unload|unbind|detach|destroy|unprepare|suspend|freeze|xfer|transfer|irq|isr|interrupt|ioctl|read|write|send|recv|receive|open|close|stop|shutdown|remove|exit|tx|rx|work|worker|task|store|show|thread|handler|disable|down|off|idle|test|update|loopback|mtu|set|get|cmd|command|poll|watchdog|timer|fan|key|event|sync|flush|tune|tuning|capture|stream|playback|prepare|notify|queue|submit|complete|ethtool|selftest|diag|erase|program|charge|battery|monitor|temp|voltage|brightness|unplug|disconnect|release|free|dump|debugfs|sysfs)$/;

// Words of start-up: what a driver does once, from its probe or, in firmware and the core, while booting.
const START =
  /^(?:init|initialize|initialise|initialization|setup|boot|startup|bringup|early|load|download|firmware|fw|powerup|poweron|power|enable|up|start|link|linkup|train|training|speedup|deassert|assert|resetcore|configure|config|cfg|register|regulator|host|mode|ready|transition|phy|pll|calibrate|calibration|alloc|create|activate|wake|handshake|version|chip)$/;

/** Ends of names of what user space, an interrupt or a timer calls. */
const ENTRY =
  /_(store|show|ioctl|irq|isr|interrupt|handler|worker|work|thread|open|close|suspend|xfer|shutdown|remove|exit)(?:_\w{1,3})?$/;

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
  // No name that a person gave is longer.
  const name = place.name?.slice(0, 200) ?? '';
  // `toy_probe1` is a probe as well.
  const words = name === '' ? [] : wordsOf(name).map((w) => w.replace(/(?<=[a-z]{3})\d$/, ''));
  const firmware = place.flavour !== 'linux' && place.flavour !== 'rust' && place.flavour !== 'freebsd';
  const start: CodePath = firmware || STARTS_EARLY.test(place.file) ? 'init' : 'probe';
  // Taking a device out of reset is how it is started, whatever the word "reset" says.
  if (words.some((w) => /^(?:deassert|assert)$/.test(w)) && words.some((w) => /^(?:reset|rst|perst)$/.test(w)))
    return { is: start, by: 'a reset line is set or released', sure: 0.6 };
  // What a function is called for from outside, at the end of its name, says more than what it does.
  const entry = ENTRY.exec(name)?.[1];
  for (const [path, pattern, sure] of STRONG) {
    const word = words.findLast((w) => pattern.test(w));
    if (word !== undefined) return { is: path, by: `"${word}" in the name`, sure };
  }
  if (entry !== undefined && !firmware) return { is: 'runtime', by: `called as "${entry}"`, sure: 0.7 };
  // The chip's, not a connector's or a card's at any time.
  if (words.at(-1) === 'detect' && !place.file.startsWith('drivers/gpu/'))
    return { is: 'probe', by: '"detect" ends the name', sure: 0.6 };
  const strongStart = words.findLast((w) => STRONG_START.test(w));
  if (strongStart !== undefined) return { is: start, by: `"${strongStart}" in the name`, sure: 0.8 };
  const runtime = words.findLast((w) => RUNTIME.test(w));
  if (firmware && !/^(?:net|fs|cmd|commands)\//.test(place.file))
    return { is: 'init', by: 'firmware runs once, while booting', sure: 0.7 };
  const told = byTitle(place.title.toLowerCase(), start);
  if (told === undefined && words.includes('wakeup')) return { is: 'resume', by: '"wakeup" in the name', sure: 0.7 };
  if (runtime === undefined) {
    // Bringing a device up: from its probe or, with runtime power management, from its first use.
    if (POWERS_UP.test(name)) return { is: start, by: 'brings a device up', sure: 0.5 };
    if (told !== undefined && told.is !== 'reset') return told;
    const core = words.find((w) => w === 'resetcore');
    if (core !== undefined) return { is: start, by: `"${core}" in the name`, sure: 0.5 };
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
  return byCallers(place, start) ?? byLog(place.log) ?? byFolder(place);
}

const POWERS_UP =
  /(?:power|pwr|clk|clock|vdd\w*)_?(?:on|up)(?:_|$)|powerup|poweron|pwup|bring_?up|enable_(?:regulator|supply|supplies|power|vdd)/i;

/** Functions of the patch that call it, where their names tell what its own does not. */
function byCallers(place: PathPlace, start: CodePath): Judged<CodePath> | undefined {
  for (const caller of place.callers()) {
    const words = wordsOf(caller);
    const strong = STRONG.find(([, pattern]) => words.some((w) => pattern.test(w)));
    const by = `${caller}() calls it`;
    if (strong !== undefined) return { is: strong[0], by, sure: 0.6 };
    if (words.at(-1) === 'detect' || words.some((w) => STRONG_START.test(w))) return { is: start, by, sure: 0.6 };
  }
  return undefined;
}

/** What a commit message says of when it happens, where the name says nothing: the path that it speaks of most. */
function byLog(log: readonly string[]): Judged<CodePath> | undefined {
  const text = log
    .filter((l) => !/^[A-Z][\w-]+: /.test(l))
    .join(' ')
    .slice(0, 6000)
    .replace(RESET_LINE, '');
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
function byFolder({ file, name }: PathPlace): Judged<CodePath> {
  for (const [folder, share] of FOLDERS) {
    if (!file.startsWith(`drivers/${folder}/`)) continue;
    return {
      is: 'runtime',
      by: `${share} % of such functions in ${folder}/ are not reached from a probe`,
      sure: share / 200,
    };
  }
  if (!/^(?:drivers|net|sound|fs|block|mm|arch|kernel|include|lib|security)\//.test(file)) {
    return { is: 'unknown', by: 'neither name, message nor folder tells', sure: 0 };
  }
  const known = name === undefined ? undefined : wordsOf(name).findLast((w) => SHARES.has(w));
  const share = SHARES.get(known ?? '') ?? UNNAMED;
  const whose = known === undefined ? 'no word of start-up, resume or reset' : `"${known}"`;
  return {
    is: 'runtime',
    by: `${share} % of waiting functions with ${whose} in their names run in use`,
    sure: share / 200,
  };
}

/**
 * Of functions that wait and have no word of start-up, resume or reset in their names, the percentage that callers in the same
 * file lead to from what runs in use (a driver's operations, interrupts, works, sysfs), not from a probe, resume or reset alone.
 * Counted over 1646 such functions in drivers/ of Linux 6.12.
 */
const UNNAMED = 84;
const SHARES: ReadonlyMap<string, number> = new Map([
  ['busy', 93],
  ['check', 68],
  ['config', 68],
  ['configure', 73],
  ['dma', 99],
  ['do', 87],
  ['done', 82],
  ['enable', 82],
  ['lock', 77],
  ['on', 88],
  ['phy', 72],
  ['power', 92],
  ['ready', 80],
  ['start', 85],
  ['status', 85],
  ['wait', 84],
]);

/**
 * Of functions that wait and have no word of start-up, resume or reset in their names, the percentage that static callers in
 * the same file do not lead to from a probe or an init function. Counted over half of the files of Linux 6.12.
 */
const FOLDERS: readonly (readonly [string, number])[] = [
  ['clk', 89],
  ['i2c', 76],
  ['iio', 56],
  ['misc', 74],
  ['net/wireless', 53],
  ['platform', 65],
  ['soc', 62],
  ['thunderbolt', 54],
];

/** Folders whose code is initialised from initcalls or by a core, not by one device's probe. */
const STARTS_EARLY =
  /^(?:init\/|arch\/|kernel\/|drivers\/(?:phy|ufs|scsi\/ufs|clk|clocksource|soc|firmware)\/|(?:.*\/)?phy-[^/]*\.c$)/;

/** Folders whose code mostly runs while a device is brought up. */
const STARTS = /^drivers\/(?:pci\/(?:controller|host)|phy|ufs|scsi\/ufs|nvme\/host|ata)\//;

/** Talk of the line that holds a device in reset, which starting it up releases: no reset of a device in use. */
const RESET_LINE =
  /\breset[- ](?:gpios?|lines?|pins?|pulses?|signals?|controls?|controllers?|propert\w+|asserted|assertion|deassertion|sequence|delay)\b|\b(?:in|from|of|out of|rescal|with) reset\b|\bassert\w* reset\b/gi;

function byTitle(title: string, start: CodePath): Judged<CodePath> | undefined {
  if (/\bresume\b|\bwake-?up\b/.test(title)) return { is: 'resume', by: 'the subject speaks of resuming', sure: 0.6 };
  if (/\bprobe\b|\bprobing\b/.test(title)) return { is: 'probe', by: 'the subject speaks of probing', sure: 0.6 };
  if (/\bboot|\binitiali[sz]|\binit\b|start-?up\b|load time|load fail|driver load/.test(title))
    return { is: start, by: 'the subject speaks of start-up', sure: 0.6 };
  const topic = title.replace(/^(?:[\w/.-]+: ?)*/, '').replace(RESET_LINE, '');
  if (/\breset\b|\brecovery\b/.test(topic)) return { is: 'reset', by: 'the subject speaks of a reset', sure: 0.5 };
  return undefined;
}
