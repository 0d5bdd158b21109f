import { Command, Option } from 'commander';
import { parseNs, toUs } from '../../core/kernel/index.js';
import { timelineOf, whatIf, type BootLog, type Gain, type Timeline } from '../../core/evidence/index.js';
import { Failure } from '../config/index.js';
import { bootHtml, bootText, type BootView } from './boot-view.js';
import { reportFailure } from './failures.js';
import { readLogFile } from './log-file.js';

type Options = { readonly whatIf?: string; readonly format: string; readonly top: string };
type Wish = { readonly name: string; readonly delta: number };

/** `reveille boot LOG`: where a boot spent its time, and what a saving would bring. */
export function bootCommand(): Command {
  return new Command('boot')
    .description(
      'Shows a boot log as a timeline: the slowest initcalls, what is on the boot path, what a saving brings.',
    )
    .argument('<log...>', 'boot logs, also .gz, .xz, or mails with logs in them; - for standard input')
    .option(
      '--what-if <name=time>',
      'what the boot gains if this initcall, probe or line came so much sooner: NAME=-200ms',
    )
    .option('--top <n>', 'how many of the slowest to list', '10')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json', 'html']).default('text'))
    .action(async (paths: string[], options: Options) => {
      const output = await boot(paths, options);
      process.stdout.write(output);
    });
}

async function boot(paths: readonly string[], options: Options): Promise<string> {
  const views: BootView[] = [];
  let wish: Wish | undefined;
  try {
    wish = options.whatIf === undefined ? undefined : parseWish(options.whatIf);
  } catch (error) {
    reportFailure(error);
    return '';
  }
  const top = Math.max(1, Math.min(1000, Number.parseInt(options.top, 10) || 10));
  for (const path of paths) {
    try {
      const { logs } = await readLogFile(path);
      if (logs.length === 0) throw new Failure('not-mail', `${path}: format unknown: no boot log in it`);
      views.push(viewOf(path, logs, top, wish));
    } catch (error) {
      reportFailure(error);
    }
  }
  if (options.format === 'json')
    return `${JSON.stringify({ schema: 'reveille.boot.v1', files: views.map(json) }, null, 2)}\n`;
  if (options.format === 'html') return bootHtml(views);
  return bootText(views);
}

/** `NAME=-200ms`; without a sign it is taken for a saving, too. */
function parseWish(text: string): Wish {
  const at = text.lastIndexOf('=');
  const span = /^([+-]?)([^+-].*)$/.exec(text.slice(at + 1).trim());
  const time = span?.[2] === undefined ? undefined : parseNs(span[2]);
  if (at <= 0 || time === undefined) throw new Failure('usage', `--what-if ${text}: write it as NAME=-200ms`);
  return { name: text.slice(0, at), delta: span?.[1] === '+' ? time : -time };
}

function viewOf(path: string, logs: readonly BootLog[], top: number, wish: Wish | undefined): BootView {
  const parts = logs.map((log) => ({ log, timeline: timelineOf(log) }));
  const main = parts.reduce((a, b) => (b.timeline.entries.length > a.timeline.entries.length ? b : a));
  const gain = wish && {
    ...wish,
    found: findGain(
      parts.map((p) => p.timeline),
      main.timeline,
      wish,
    ),
  };
  return { path, parts, main, top, ...(gain ? { gain } : {}) };
}

function findGain(all: readonly Timeline[], main: Timeline, { name, delta }: Wish): Gain | undefined {
  for (const timeline of [main, ...all]) {
    const gain = whatIf(timeline, name, delta);
    if (gain) return gain;
  }
  return undefined;
}

function json({ path, parts, top, gain }: BootView): unknown {
  return {
    path,
    logs: parts.map(({ log, timeline }) => logJson(log, timeline, top)),
    whatIf: gain
      ? {
          name: gain.name,
          deltaUs: toUs(gain.delta),
          gainUs: gain.found && gain.found.path !== 'unknown' ? toUs(gain.found.gain) : null,
          bootPath: gain.found?.path ?? 'unknown',
          why: gain.found?.why ?? 'no such initcall, probe or line in the log',
        }
      : null,
  };
}

function logJson(log: BootLog, timeline: Timeline, top: number): unknown {
  const us = (value: number | undefined) => (value === undefined ? null : toUs(value));
  const entries = timeline.entries.map((e) => ({
    name: e.name,
    kind: e.kind,
    us: toUs(e.took),
    loggedUsecs: e.logged,
    startUs: us(e.start),
    endUs: us(e.end),
    module: e.module ?? null,
    returned: e.returned ?? null,
    bootPath: e.path,
    bootPathBy: e.pathBy,
  }));
  const calls = entries.filter((e) => e.kind !== 'probe');
  const print = timeline.fingerprint;
  return {
    line: log.mailLine,
    label: log.label,
    format: log.format,
    lines: log.lines,
    release: log.release ?? null,
    unitNs: log.unitNs ?? null,
    unitBy: log.unitBy ?? null,
    fingerprint: print
      ? { hz: print.hz ?? null, unitNs: print.unitNs ?? null, explained: print.explained, of: print.of }
      : null,
    initcallCount: timeline.initcallCount,
    initcallTotalUs: toUs(timeline.initcallTotal),
    initcallTotalLogged: calls.reduce((sum, e) => sum + e.loggedUsecs, 0),
    rootMountUs: us(timeline.rootMount),
    initUs: us(timeline.init),
    endUs: us(timeline.end),
    milestones: timeline.milestones.slice(0, 1000).map((m) => ({ name: m.name, atUs: toUs(m.at) })),
    waits: timeline.windows.map((w) => ({ by: w.by, fromUs: toUs(w.from), toUs: toUs(w.to) })),
    samples: (log.samples ?? []).map((s) => ({ name: s.name, us: toUs(s.value) })),
    slowest: [...calls]
      .map((e, i) => ({ e, i }))
      .sort((a, b) => b.e.loggedUsecs - a.e.loggedUsecs || a.i - b.i)
      .slice(0, top)
      .map(({ e }) => e),
    entries,
  };
}
