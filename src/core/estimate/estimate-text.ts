import { formatNs, type Ns } from '../kernel/index.js';
import type { CurvePoint, Estimate } from './estimate.js';

const width = 72;

/** An estimate of two calls as a person reads it on a terminal: 72 columns, a plot of the saving over the ready time. */
export function estimateToText(estimate: Estimate, names: { readonly before: string; readonly after: string }): string {
  const { before, after, saved } = estimate;
  const lines = [
    ...wrap(`${names.before}  ->  ${names.after}`),
    '',
    `predicted    least       likely      most        looks`,
    row('before', before.min, before.likely, before.max, before.polls),
    row('after', after.min, after.likely, after.max, after.polls),
    row('saved', saved.min, saved.likely, saved.max),
    ...neverLines(estimate),
    '',
    ...estimate.assumptions.flatMap((a) => wrap(`${a.name} (${a.from}): ${a.value}`, '  ')),
  ];
  if (estimate.curve.length > 0)
    lines.push('', ...curveLines(estimate.curve), '', ...wrap(curveInWords(estimate.curve)));
  if (estimate.devices.length > 0) {
    lines.push('', 'many slow devices, polled side by side by the new policy:');
    for (const { count, looks, wakeUps, cpuPercent } of estimate.devices) {
      const share = `${cpuPercent.min} to ${cpuPercent.max} % of a CPU`;
      lines.push(
        `  ${String(count).padStart(5)}  ${group(looks).padStart(10)} looks  ${group(wakeUps).padStart(10)} wake-ups  ${share}`,
      );
    }
  }
  if (estimate.alternatives.length > 0) {
    lines.push('', 'other policies on the same draws:');
    for (const { policy, likely, polls } of estimate.alternatives) {
      lines.push(`  ${policy.padEnd(32)} ${formatNs(likely, 3).padStart(10)}  ${group(polls).padStart(9)} looks`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function neverLines({ never }: Estimate): string[] {
  if (never === undefined) return [];
  return [
    `never ready  gives up after ${formatNs(never.before, 3)}, with the change after ${formatNs(never.after, 3)}`,
  ];
}

/** The curve in one sentence: what is saved when the first look succeeds, and at most, and when nothing is left of it. */
export function curveInWords(curve: readonly CurvePoint[]): string {
  const best = [...curve].sort((a, b) => b.saved.max - a.saved.max)[0];
  const first = curve.find((p) => p.ready === 0);
  const parts: string[] = [];
  if (first !== undefined && first.saved.min === 0 && first.saved.max === 0) {
    parts.push('nothing is saved when the first look succeeds');
  }
  if (best !== undefined && best.saved.max > 0) {
    parts.push(`up to ${formatNs(best.saved.max)} when the device is ready after ${formatNs(best.ready, 3)}`);
  } else parts.push('nothing is saved at any ready time');
  const worst = [...curve].sort((a, b) => a.saved.min - b.saved.min)[0];
  if (worst !== undefined && worst.saved.min < 0) {
    parts.push(`up to ${formatNs(-worst.saved.min)} is lost at ${formatNs(worst.ready, 3)}`);
  }
  return `${parts.join('; ')}.`;
}

function curveLines(curve: readonly CurvePoint[]): string[] {
  const most = Math.max(1, ...curve.map((p) => Math.abs(middle(p))));
  const room = width - 38;
  const lines = ['ready after     saved                                   looks'];
  for (const point of curve) {
    const bar = '#'.repeat(Math.round((Math.max(0, middle(point)) / most) * room));
    const looks = `${group(point.pollsBefore)}>${group(point.pollsAfter)}`;
    lines.push(
      `${time(point.ready, 10)} ${time(middle(point), 10)} ${bar.padEnd(room)} ${looks}`.trimEnd().slice(0, width),
    );
  }
  return lines;
}

function middle(point: CurvePoint): Ns {
  return (point.saved.min + point.saved.max) / 2;
}

function row(name: string, least: Ns, likely: Ns, most: Ns, looks?: number): string {
  const cells = [least, likely, most].map((value) => formatNs(value, 3).padEnd(11));
  return `${name.padEnd(12)} ${cells.join(' ')} ${looks === undefined ? '' : group(looks)}`.trimEnd();
}

function time(value: Ns, columns: number): string {
  return formatNs(value, 3).padStart(columns);
}

/** 80000 as 80,000. */
function group(value: number): string {
  const [whole, part] = String(Math.round(value * 10) / 10).split('.');
  const grouped = (whole ?? '').replace(/\B(?=(?:\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

function wrap(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + word.length + 1 > width) {
      lines.push(line.trimEnd());
      line = `${indent}  `;
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}
