import { describe, expect, test } from 'vitest';
import { measureLogs, readBootLogs, readEvidence, slowest, timelineOf, whatIf } from '../../src/core/evidence/index.js';
import { makeBoot } from './made-logs.js';

const mail = (text: string, subject = '') => readEvidence({ subject, text, attachments: [] });
const initcalls = (text: string) => readBootLogs(text, 'mail').flatMap((l) => l.initcalls);

describe('the shapes of a log line', () => {
  test.each([
    ['printk', '[    0.392384] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['printk-caller', '[    0.388746][    T1] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['dmesg -d', '[    2.459557 <    0.000099>] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['dmesg -e', '[  +0.000099] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['dmesg -T', '[Mon Nov 30 15:34:23 2026] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['dmesg -x', 'kern  :debug : [    9.133418] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['dmesg -r', '<7>[    9.133418] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['dmesg iso', '2026-11-30T15:34:30,133418+00:00 initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['journal', 'Nov 30 15:34:36 quince kernel: initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['syslog', 'Nov 30 15:34:36 quince kernel: [    3.1637] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['journal short-monotonic', '[    3.163715] quince kernel: initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    [
      'journal short-precise',
      'Nov 30 15:34:36.945678 quince kernel: initcall pear_init+0x0/0x15 returned 0 after 318 usecs',
    ],
    [
      'journal short-delta',
      '[    9.133855 <    0.000437 >] quince kernel: initcall pear_init+0x0/0x15 returned 0 after 318 usecs',
    ],
    [
      'journal short-iso-precise',
      '2026-11-30T15:34:36.947151+0000 quince kernel: initcall pear_init+0x0/0x15 returned 0 after 318 usecs',
    ],
    ['grabserial', '[0.696896 0.000414] [    0.416844][    T1] initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
    ['bare', 'initcall pear_init+0x0/0x15 returned 0 after 318 usecs'],
  ])('%s', (format, line) => {
    for (const quoting of ['', '> ', '>> ', '> > | ', '    ', '\t']) {
      const logs = readBootLogs(`${quoting}${line}\n`, 'mail');
      expect(logs.map((l) => l.format)).toEqual([format]);
      expect(logs[0]?.initcalls).toMatchObject([{ name: 'pear_init', logged: 318, returned: 0, kind: 'initcall' }]);
    }
  });

  test('dmesg -J gives time and message on lines of their own', () => {
    const text =
      '{\n"pri": 6,\n"time":    34.840677,\n"msg": "initcall pear_init+0x0/0x3a [pear] returned 0 after 102 usecs"\n},{\n';
    expect(initcalls(text)).toMatchObject([{ name: 'pear_init', module: 'pear', at: 34_840_677_000 }]);
  });

  test('a line that a mailer wrapped is joined again, quoted or not', () => {
    expect(initcalls('> [    1.701353] initcall pear_init+0x0/0xc returned 0 after 0\n> usecs\n')).toHaveLength(1);
    expect(initcalls('[    1.701353] initcall pear_init+0x0/0xc\nreturned 0 after 71 usecs\n')).toMatchObject([
      { logged: 71 },
    ]);
  });

  test('failed, module, async and probe lines are told apart; a probe is in real microseconds on every kernel', () => {
    const found = initcalls(
      [
        '[    0.100000] initcall plum_init+0x0/0x43 returned -19 after 7 usecs',
        '[    0.100100] initcall pear_init+0x0/0x1000 [pear] returned 0 after 59524 usecs',
        '[    0.100200] initcall 3_pear_scan_async+0x0/0x30 returned after 6691 usecs',
        '[    0.100300] probe of 00:00 with driver pear kbd returned 0 after 27 usecs',
      ].join('\n'),
    );
    expect(found).toMatchObject([
      { returned: -19, kind: 'initcall' },
      { module: 'pear' },
      { kind: 'async', logged: 6691 },
      { kind: 'probe', name: '00:00', driver: 'pear kbd', took: 27_000 },
    ]);
  });

  test("a line that begins inside of another writer's half line is found", () => {
    const text =
      '[   11.839036][    T1] pear: Initializing orch12.036973][    T1] initcall fig_init+0x0/0xac returned 0 after 72 usecs\n';
    expect(readBootLogs(text, 'file')[0]?.initcalls).toMatchObject([{ name: 'fig_init', at: 12_036_973_000 }]);
  });

  test.each([
    [
      'systemd-analyze',
      'Startup finished in 4.317s (kernel) + 1min 3.051s (userspace) = 1min 7.368s',
      'userspace',
      63_051e6,
    ],
    ['systemd-analyze blame', ' 899ms pear-update.service', 'pear-update.service', 899e6],
    ['systemd-analyze critical-chain', '└─pear-logind.service @17.797s +2.735s', 'pear-logind.service', 2_735e6],
    ['time', 'real\t0m0.237s', 'real', 237e6],
    ['time', 'real\t0m 0.44s', 'real', 440e6],
    ['time', '0.12user 0.03system 0:00.24elapsed 62%CPU', 'real', 240e6],
    ['perf stat', '           0.05360 +- 0.00159 seconds time elapsed  ( +-  2.96% )', 'elapsed', 53.6e6],
    ['hyperfine', '  Time (mean ± σ):      52.1 ms ±   0.9 ms    [User: 0.9 ms]', 'mean', 52.1e6],
    ['table of differences', '14.532560-14.456099 = .076461', 'difference', 76_461e3],
  ])('%s is read: %s', (format, line, name, value) => {
    const [log] = readBootLogs(`${line}\n`, 'mail');
    expect(log?.format).toBe(format);
    expect(log?.samples).toContainEqual({ name, value, mailLine: 1 });
  });

  test('a table whose own subtraction is wrong says so', () => {
    expect(readBootLogs('14.532560-14.456099 = .086461\n', 'mail')[0]?.problems).toHaveLength(1);
  });
});

describe('unit and HZ', () => {
  test.each([100, 250, 300, 1000])('HZ=%i and the unit of "usecs" are found on kernels of both eras', (hz) => {
    for (const old of [true, false]) {
      const [log] = readBootLogs(makeBoot({ hz, old, flash: 90_000, mouse: 30_000 }), 'file');
      expect(log?.fingerprint?.hz).toBe(hz);
      expect(log?.unitNs).toBe(old ? 1024 : 1000);
      const bus = log?.initcalls.find((c) => c.name === 'plum_bus_init');
      expect(Math.abs((bus?.took ?? 0) - 75e6)).toBeLessThan(1100);
    }
  });

  test('a log without early initcalls gives no HZ', () => {
    const [log] = readBootLogs('[    2.1] x\n[    2.2] initcall a_init+0x0/0x1 returned 0 after 4000 usecs\n', 'mail');
    expect(log?.fingerprint?.hz).toBeUndefined();
  });

  test('before the clock source is switched the stamps count, not the field', () => {
    const [log] = readBootLogs(makeBoot({ hz: 250, old: true, flash: 9_000, mouse: 30_000 }), 'file');
    expect(log?.initcalls.find((c) => c.name === 'early2_init')).toMatchObject({ logged: 11_718, took: 40_000 });
  });
});

describe('before and after', () => {
  const excerpt = (at: number, wait: number) =>
    [
      `[    ${at.toFixed(6)}] initcall pear_init+0x0/0x5b returned 0 after 31 usecs`,
      '...',
      `[    ${(at + wait).toFixed(6)}] pear pear0: 3 channels ready`,
      `[    ${(at + wait + 0.02).toFixed(6)}] Run /sbin/init as init process`,
    ].join('\n');

  test('intervals are taken from a common anchor: an earlier start is no saving', () => {
    const text = `Numbers from my board.\n\nBefore:\n${excerpt(0.9, 0.3)}\n\nAfter:\n${excerpt(0.7, 0.1)}\n`;
    const { logs } = mail(text);
    expect(logs.map((l) => l.label)).toEqual(['before', 'after']);
    const measured = measureLogs(
      [logs[0]].flatMap((l) => l ?? []),
      [logs[1]].flatMap((l) => l ?? []),
    );
    expect(measured.map((m) => [m.anchor, m.what, m.saved])).toEqual([
      ['initcall pear_init returned 0', 'pear pear0: 3 channels ready', 200_000_000],
      ['initcall pear_init returned 0', 'Run /sbin/init as init process', 200_000_000],
    ]);
  });

  test.each([
    ['Without this patch :-', 'before'],
    ['w/o the patch:', 'before'],
    ['With the patch applied, the log is as follows:', 'after'],
    ['vanilla 6.8:', 'before'],
    ['patched:', 'after'],
    ['Here is a log of my machine:', 'unknown'],
    ['Before and after are alike, see:', 'unknown'],
  ])('"%s" heads a log of %s', (heading, label) => {
    expect(mail(`Hello.\n\n${heading}\n\n${excerpt(0.5, 0.1)}\n`).logs.map((l) => l.label)).toEqual([label]);
  });

  test('devices of one type are measured apart', () => {
    const two = (a: number, b: number) =>
      `[    1.000000] pear: loading\n[    ${(1 + a).toFixed(6)}] pear pear0: ready\n[    ${(1 + b).toFixed(6)}] pear pear1: ready\n`;
    const measured = measureLogs(readBootLogs(two(0.2, 0.4), 'mail'), readBootLogs(two(0.1, 0.15), 'mail'));
    expect(measured.map((m) => [m.what, m.saved])).toEqual([
      ['pear pear0: ready', 100_000_000],
      ['pear pear1: ready', 250_000_000],
    ]);
  });

  test('a log that repeats its few lines is several runs', () => {
    const run = (at: number, took: number) =>
      `[  ${at.toFixed(6)}] pear_init 12\n[  ${(at + took).toFixed(6)}] pear pear0: ready\n`;
    const text = `without:\n${run(10, 0.31)}${run(20, 0.32)}${run(30, 0.33)}\nwith:\n${run(110, 0.11)}${run(120, 0.12)}${run(130, 0.13)}`;
    const { logs } = mail(text);
    const [m] = measureLogs(
      logs.filter((l) => l.label === 'before'),
      logs.filter((l) => l.label === 'after'),
    );
    expect(m?.before).toEqual([310e6, 320e6, 330e6]);
    expect(m?.after).toEqual([110e6, 120e6, 130e6]);
  });
});

describe('the timeline', () => {
  const timeline = (flash: number, mouse: number) => {
    const [log] = readBootLogs(makeBoot({ hz: 300, old: false, flash, mouse }), 'file');
    if (!log) throw new Error('no log');
    return timelineOf(log);
  };

  test('the slowest come first, serial initcalls are on the boot path', () => {
    const [first] = slowest(timeline(300_000, 30_000), 3);
    expect(first).toMatchObject({ name: 'plum_bus_init', path: 'on' });
  });

  test('a saving in a serial initcall is gained, but never more than it took', () => {
    expect(whatIf(timeline(300_000, 30_000), 'plum_bus_init', -20e6)?.gain).toBe(20e6);
    expect(whatIf(timeline(300_000, 30_000), 'plum_bus_init', -200e6)?.gain).toBe(75e6);
  });

  test('what the root mount waited for is on the path as far as nothing else holds it', () => {
    const gain = whatIf(timeline(400_000, 250_000), 'pear pear0: 3 channels', -200e6);
    expect(gain?.path).toBe('on');
    expect(gain?.gain).toBe(150e6);
  });

  test('what ends before another that is waited for gains nothing', () => {
    const gain = whatIf(timeline(250_000, 611_000), 'pear0: 3 channels', -200e6);
    expect(gain).toMatchObject({ gain: 0, path: 'off' });
    expect(gain?.why).toContain('quince1');
    expect(whatIf(timeline(250_000, 611_000), 'quince1', -200e6)?.gain).toBe(200e6);
  });

  test('a driver that goes on after its short initcall is asked for by that, on the path or off it', () => {
    const of = (flash: number, mouse: number) => {
      const text = makeBoot({ hz: 100, old: false, flash, mouse }).replaceAll(
        'pear_flash_init',
        'pear_pci_driver_init',
      );
      const [log] = readBootLogs(text, 'file');
      return log && whatIf(timelineOf(log), 'pear_pci_driver_init', -200e6);
    };
    expect(of(400_000, 20_000)).toMatchObject({ gain: 200e6, path: 'on' });
    expect(of(250_000, 611_000)).toMatchObject({ gain: 0, path: 'off' });
    expect(of(250_000, 611_000)?.why).toContain('pear pear0: 3 channels ready');
  });

  test('a module is unknown with its reason: its loader is another task', () => {
    const module =
      '[    0.300000] calling  plum_mod_init+0x0/0x40 [plum_mod] @ 71\n[    0.340000] initcall plum_mod_init+0x0/0x40 [plum_mod] returned 0 after 40000 usecs\n';
    const [log] = readBootLogs(makeBoot({ hz: 250, old: false, flash: 1_000, mouse: 1_000 }) + module, 'file');
    const gain = log && whatIf(timelineOf(log), 'plum_mod_init', -10e6);
    expect(gain).toMatchObject({ path: 'unknown' });
    expect(gain?.why).toContain('a module, loaded by another task');
  });

  test('a root that an initramfs mounts is no wait of the kernel', () => {
    const late = '[    9.000000] EXT4-fs (sda1): mounted filesystem with ordered data mode. Quota mode: none.\n';
    const text = makeBoot({ hz: 250, old: false, flash: 30_000, mouse: 1_000 }).replace(
      /^.*VFS: Mounted root.*\n/m,
      '',
    );
    const [log] = readBootLogs(text + late, 'file');
    const windows = log ? timelineOf(log).windows : [];
    expect(windows.map((w) => w.by)).toEqual(['init']);
  });

  test('a name that is not in the log gives no answer', () => {
    expect(whatIf(timeline(250_000, 1_000), 'walnut_init', -1e6)).toBeUndefined();
  });

  test('in pairs of whole logs the local saving and what the boot gained are told apart', () => {
    const logs = (flash: number, mouse: number) =>
      [0, 1_700, 3_100].flatMap((k) =>
        readBootLogs(makeBoot({ hz: 300, old: true, flash, mouse, start: 250_000 + k }), 'file'),
      );
    const onPath = measureLogs(logs(320_000, 20_000), logs(20_000 + 40_000, 20_000));
    expect(onPath.map((m) => [m.what, m.saved])).toContainEqual(['pear pear0: 3 channels ready', 260e6]);
    expect(onPath.map((m) => [m.what, m.saved])).toContainEqual(['Run /sbin/init as init process', 260e6]);
    const offPath = measureLogs(logs(320_000, 700_000), logs(60_000, 700_000));
    expect(offPath.map((m) => [m.what, m.saved])).toContainEqual(['pear pear0: 3 channels ready', 260e6]);
    expect(offPath.map((m) => [m.what, m.saved])).toContainEqual(['Run /sbin/init as init process', 0]);
  });
});
