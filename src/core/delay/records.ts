import type { Token } from '../csource/index.js';
import type { ArgumentUnit } from './catalogue.js';
import type { Side } from './side.js';

type Members = Readonly<Record<string, ArgumentUnit>>;

/** Members of kernel records that hold a time, with their unit. Linux 6.12, the headers beside each. */
const RECORDS: ReadonlyMap<string, Members> = new Map(
  Object.entries<Members>({
    // drivers/gpu/drm/panel/panel-simple.c and panel-edp.c
    panel_desc: panelDelays(),
    panel_delay: panelDelays(),
    // include/linux/regulator/driver.h
    regulator_desc: { enable_time: 'us', off_on_delay: 'us', poll_enabled_time: 'us' },
    // include/linux/regulator/fixed.h
    fixed_voltage_config: { startup_delay: 'us', off_on_delay: 'us' },
    // include/linux/watchdog.h
    watchdog_device: { timeout: 's', pretimeout: 's', min_timeout: 's', max_timeout: 's' },
    // include/linux/gpio_keys.h
    gpio_keys_button: { debounce_interval: 'ms' },
    gpio_keys_platform_data: { poll_interval: 'ms' },
    // include/linux/i2c.h
    i2c_adapter: { timeout: 'jiffies' },
    // include/linux/regmap.h
    reg_sequence: { delay_us: 'us' },
  }),
);

/** Fields in order of records that tables are written of without names. */
const ORDERED: ReadonlyMap<string, readonly string[]> = new Map([['reg_sequence', ['reg', 'def', 'delay_us']]]);

/** Members that hold a time of this unit in whatever record of the kernel they stand. */
const MEMBERS: ReadonlyMap<string, ArgumentUnit> = new Map([
  ['off_on_delay', 'us'],
  ['d3hot_delay', 'ms'],
  ['d3cold_delay', 'ms'],
  ['d3_delay', 'ms'],
  ['debounce_interval', 'ms'],
  ['polling_delay', 'ms'],
  ['passive_delay', 'ms'],
  ['watchdog_timeo', 'jiffies'],
  ['max_busy_timeout', 'ms'],
]);

function panelDelays(): Members {
  return {
    prepare: 'ms',
    enable: 'ms',
    disable: 'ms',
    unprepare: 'ms',
    hpd_absent: 'ms',
    hpd_reliable: 'ms',
    powered_on_to_enable: 'ms',
    prepare_to_enable: 'ms',
  };
}

/** The unit of a member by the record that it is written in (`.enable_time` of a regulator_desc), or by a name that only one means. */
export function memberUnit(side: Side, target: string, offset: number): ArgumentUnit | undefined {
  const name = /(\w+)$/.exec(target)?.[1] ?? '';
  if (name === 'value') return /delay\.value$/.test(target) ? spiUnit(side, offset) : undefined;
  const type = target.startsWith('.') ? recordTypeAt(side, offset) : undefined;
  const known = type === undefined ? undefined : RECORDS.get(type);
  return known !== undefined && Object.hasOwn(known, name) ? known[name] : MEMBERS.get(name);
}

/** `xfer.delay.value = 10; xfer.delay.unit = SPI_DELAY_UNIT_USECS;`: the unit stands beside it. */
function spiUnit(side: Side, offset: number): ArgumentUnit | undefined {
  const near = side.fragment.text.slice(Math.max(0, offset - 120), offset + 200);
  const unit = /SPI_DELAY_UNIT_([UN])SECS/.exec(near)?.[1];
  return unit === undefined ? undefined : unit === 'U' ? 'us' : 'ns';
}

/** The record that an initialiser around an offset is of: by its declaration in sight, else by the hunk's section line. */
function recordTypeAt(side: Side, offset: number): string | undefined {
  if (side.fragment.startsIn !== undefined) return declaredBefore(side.fragment.tokens, offset);
  return declaredBefore(side.fragment.tokens, offset) ?? declaredIn(side.section);
}

/** `static const struct toy_desc toy[] = {` in a hunk's section line. */
export function declaredIn(section: string): string | undefined {
  return /\bstruct\s+(\w+)\s+\w+\s*(?:\[\w*\]\s*)*=/.exec(section.slice(0, 300))?.[1];
}

const LOOK_BACK = 600;

/** The last `struct T name = {` before an offset whose brace is still open there. */
function declaredBefore(tokens: readonly Token[], offset: number): string | undefined {
  let depth = 0;
  const at = tokens.findIndex((t) => t.start >= offset);
  for (let i = at - 1; i >= Math.max(0, at - LOOK_BACK); i--) {
    const text = tokens[i]?.text;
    if (text === '}') depth++;
    else if (text === '{' && --depth < 0) {
      depth = 0;
      if (tokens[i - 1]?.text !== '=') continue;
      let from = i - 2;
      while (from > 0 && !/^(?:struct|;|\}|\{|,)$/.test(tokens[from]?.text ?? '')) from--;
      if (tokens[from]?.text === 'struct') return tokens[from + 1]?.text;
    }
  }
  return undefined;
}

const MOST_FIELDS = 64;

/** The fields of the records that one side of a mail defines, in order. */
export function fieldsIn(sides: readonly Side[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map(ORDERED);
  for (const { fragment } of sides) {
    const { tokens } = fragment;
    for (const [i, token] of tokens.entries()) {
      if (token.text !== 'struct' || tokens[i + 2]?.text !== '{' || tokens[i + 1]?.kind !== 'name') continue;
      if (found.size < 200) found.set(tokens[i + 1]?.text ?? '', fieldsAt(tokens, i + 3));
    }
  }
  return found;
}

function fieldsAt(tokens: readonly Token[], from: number): string[] {
  const fields: string[] = [];
  let depth = 0;
  for (let i = from; i < tokens.length && fields.length < MOST_FIELDS; i++) {
    const text = tokens[i]?.text;
    if (text === '{') depth++;
    else if (text === '}' && --depth < 0) break;
    const next = tokens[i + 1]?.text;
    if (depth === 0 && tokens[i]?.kind === 'name' && /^(?:;|,|\[)$/.test(next ?? '')) fields.push(text ?? '');
  }
  return fields;
}
