/** A boot log of an invented machine, line by line; `at` in microseconds. `unit` 1.024 prints as kernels up to v5.17 did. */
export type MadeBoot = {
  readonly hz: number;
  readonly old: boolean;
  /** How long the invented flash controller takes to get ready, and the invented mouse beside it, in microseconds. */
  readonly flash: number;
  readonly mouse: number;
  readonly start?: number;
};

export function makeBoot({ hz, old, flash, mouse, start = 250_000 }: MadeBoot): string {
  const lines: string[] = [];
  let now = start;
  const stamp = (at: number) => `[${(at / 1e6).toFixed(6).padStart(12)}]`;
  const say = (text: string) => lines.push(`${stamp(now)} ${text}`);
  const usecs = (time: number) => Math.floor(old ? time / 1.024 : time);
  say(`Linux version ${old ? '5.4.17-quince' : '6.8.2-quince'} (build@example.org)`);
  const tick = 1e6 / hz;
  for (let i = 0; i < 12; i++) {
    say(`calling  early${String(i)}_init+0x0/0x30 @ 1`);
    now += 40;
    say(`initcall early${String(i)}_init+0x0/0x30 returned 0 after ${String(usecs((1 + (i % 3)) * tick))} usecs`);
  }
  say('clocksource: Switched to clocksource quince-counter');
  const initcall = (name: string, took: number) => {
    say(`calling  ${name}+0x0/0x40 @ 1`);
    now += took;
    say(`initcall ${name}+0x0/0x40 returned 0 after ${String(usecs(took))} usecs`);
    now += 9;
  };
  initcall('plum_bus_init', 75_000);
  initcall('pear_flash_init', 41);
  const ready = now;
  say('pear pear0: flash function 0000:00:09.0');
  initcall('medlar_tty_init', 5_000);
  const ends = [
    { at: ready + flash, text: 'pear pear0: 3 channels ready' },
    { at: ready + mouse, text: `probe of quince1 returned 1 after ${String(mouse)} usecs` },
  ].sort((a, b) => a.at - b.at);
  for (const end of ends) {
    now = Math.max(now, end.at);
    say(end.text);
  }
  now += 2_000;
  say('VFS: Mounted root (ext4 filesystem) on device 259:0.');
  now += 1_500;
  say('Freeing unused kernel image (initmem) memory: 812K');
  say('Run /sbin/init as init process');
  return `${lines.join('\n')}\n`;
}
