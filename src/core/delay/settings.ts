import type { HunkLine, PatchFile } from '../patch/index.js';
import type { ArgumentUnit } from './catalogue.js';
import type { DelayChange, Wait } from './change.js';
import { languageOf, type Language } from './flavour.js';
import type { Context } from './find.js';
import { constantRole } from './meaning.js';
import { configDefaults, type ConfigDefault } from './kconfig.js';
import { inUnit } from './quantity.js';
import { evaluate } from './value.js';
import { isTimeName, unitOfName, unitOfRemark, wordsOf } from './words.js';

type Setting = {
  readonly name: string;
  readonly text: string;
  readonly value: string;
  readonly line: HunkLine;
  readonly unit?: ArgumentUnit;
};

/** Changed delays that stand in device trees and settings files: not a driver's own wait, but one that somebody will sit out. */
export function findSettings(context: Context, file: PatchFile): DelayChange[] {
  const language = languageOf(file.path);
  if (language === 'kconfig') return changedDefaults(context, file);
  const found: DelayChange[] = [];
  for (const hunk of file.hunks) {
    const old = settingsOf(
      hunk.lines.filter((l) => l.kind === 'removed'),
      language,
      file.path,
    );
    const fresh = settingsOf(
      hunk.lines.filter((l) => l.kind === 'added'),
      language,
      file.path,
    );
    for (const o of old) {
      const n = fresh.find((s) => s.name === o.name);
      if (n !== undefined) fresh.splice(fresh.indexOf(n), 1);
      // Of a new node's or a dropped node's these are the usual furniture.
      if (n === undefined && DT_UNITS.has(o.name)) continue;
      if (n === undefined || n.value !== o.value) found.push(toChange(context, file, o, n));
    }
    for (const n of fresh) if (!DT_UNITS.has(n.name)) found.push(toChange(context, file, undefined, n));
  }
  return found;
}

/** A build option's default that changes, where the option is named for a time; one that comes or goes changes nothing by itself. */
function changedDefaults(context: Context, file: PatchFile): DelayChange[] {
  const fresh = configDefaults(file, 'new').filter((d) => d.line.kind === 'added');
  return configDefaults(file, 'old').flatMap((o) => {
    const unit =
      unitOfName(o.name) ?? unitOfRemark(o.prompt ?? '') ?? (o.name === 'CONFIG_BOOTDELAY' ? 's' : undefined);
    if (o.line.kind !== 'removed' || unit === undefined || !isTimeName(o.name)) return [];
    const n = fresh.find((d) => d.name === o.name);
    if (n === undefined || n.value === o.value) return [];
    const setting = (d: ConfigDefault): Setting => ({ ...d, unit, text: `${d.name}=${d.value}` });
    return [toChange(context, file, setting(o), setting(n))];
  });
}

const DTS = /^\s*([\w,.#-]+)\s*=\s*<([\s\da-fA-Fx]{1,120})>\s*;/;
const COREBOOT = /register\s+"([\w.[\]]+)"\s*=\s*"(\d+)"/;
const PLAIN = /^\s*(\w+)\s*=\s*(\d+)\s*$/;

function settingsOf(lines: readonly HunkLine[], language: Language, path: string): Setting[] {
  return lines.flatMap((line) => {
    const pattern =
      language === 'dts' ? DTS : language === 'settings' ? PLAIN : path.endsWith('.cb') ? COREBOOT : undefined;
    const match = pattern?.exec(line.text.slice(0, 500));
    const name = match?.[1];
    const value = match?.[2]?.trim().replace(/\s+/g, ' ');
    if (name === undefined || value === undefined || !isWaited(name, language)) return [];
    const text = language === 'dts' ? `${name} = <${value}>` : `${name}=${value}`;
    return [{ name, text, value, line }];
  });
}

/** Properties whose unit is not in their names, by their bindings in Linux 6.12. */
const DT_UNITS: ReadonlyMap<string, ArgumentUnit> = new Map([
  ['poll-interval', 'ms'],
  ['debounce-interval', 'ms'],
  ['polling-delay', 'ms'],
  ['polling-delay-passive', 'ms'],
  ['regulator-enable-ramp-delay', 'us'],
]);

function unitOfSetting(name: string): ArgumentUnit | undefined {
  return unitOfName(name) ?? DT_UNITS.get(name);
}

/** Delays that a driver waits by; clock skews of a network port (in ns or ps) and rates of a regulator are none. */
function isWaited(name: string, language: Language): boolean {
  if (language === 'dts' && DT_UNITS.has(name)) return true;
  const words = wordsOf(name);
  if (words.some((w) => /^(?:tx|rx|skew|ns|ps|ramp|clk|clock|internal)$/.test(w))) return false;
  const unit = unitOfSetting(name);
  if (language === 'settings') return words.includes('timeout');
  if (unit !== 'us' && unit !== 'ms' && unit !== 's')
    return words.includes('delay') && words.includes('reset') && language !== 'dts';
  return words.some((w) =>
    /^(?:delay|delays|startup|settling|settle|time|wait|timeout|debounce|poll|polling|interval|duration|reset|on|off)$/.test(
      w,
    ),
  );
}

function toChange(
  context: Context,
  file: PatchFile,
  old: Setting | undefined,
  fresh: Setting | undefined,
): DelayChange {
  const at = fresh ?? old;
  if (at === undefined) throw new Error('a setting has a side');
  const role = constantRole(at.name);
  return {
    patch: context.index,
    effect: old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed',
    kind: 'constant',
    file: file.path,
    ...(old?.line.oldNumber === undefined ? {} : { oldLine: old.line.oldNumber }),
    ...(fresh?.line.newNumber === undefined ? {} : { newLine: fresh.line.newNumber }),
    mailLine: at.line.mailLine,
    ...(old === undefined ? {} : { before: asWait(old) }),
    ...(fresh === undefined ? {} : { after: asWait(fresh) }),
    uses: [],
    role:
      role.is === 'settle' && /poll/.test(at.name) ? { is: 'poll-interval', by: 'named for a poll', sure: 0.7 } : role,
    path:
      at.name === 'CONFIG_BOOTDELAY'
        ? { is: 'init', by: 'a boot loader waits so long for a key', sure: 0.9 }
        : languageOf(file.path) === 'kconfig'
          ? { is: 'unknown', by: 'a build option is used anywhere', sure: 0.2 }
          : languageOf(file.path) === 'settings'
            ? { is: 'runtime', by: 'a settings file of a test', sure: 0.7 }
            : file.path.endsWith('.cb')
              ? { is: 'init', by: 'firmware reads it while booting', sure: 0.7 }
              : { is: 'probe', by: 'a device tree is read by probes', sure: 0.6 },
    inLoop: false,
    bound: { before: 'unknown', after: 'unknown' },
    rounds: {},
    budget: {},
    backoff: {},
    siblings: [],
    quote: [
      ...(old === undefined ? [] : [`-${old.line.text}`]),
      ...(fresh === undefined ? [] : [`+${fresh.line.text}`]),
    ],
  };
}

function asWait(setting: Setting): Wait {
  const unit = setting.unit ?? unitOfSetting(setting.name) ?? 's';
  const spans = setting.value.split(' ').map((v) => {
    const value = evaluate(v, () => undefined).value;
    return value && inUnit(value, unit);
  });
  // Of several there is no one time to tell: `reset-delays-us = <0 10000 50000>` is before, while and after.
  const [span] = spans.length === 1 ? spans : [];
  return {
    text: setting.text,
    ...(span === undefined ? {} : { span }),
    resolved: span === undefined ? 'no' : 'literal',
    unknown: [],
  };
}
