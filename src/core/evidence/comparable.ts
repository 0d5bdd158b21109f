import type { BootLog } from './evidence.js';

/**
 * Logs that may be compared: of one quoting (a reviewer's own boots stand above the author's quoted ones) and with lines or
 * calls in common.
 */
export function comparable(logs: readonly BootLog[]): BootLog[][] {
  const groups: { readonly logs: BootLog[]; readonly keys: Set<string> }[] = [];
  for (const log of logs) {
    if (log.label === 'unknown') continue;
    const keys = [
      ...(log.stamps ?? []).map((s) => s.key),
      ...log.initcalls.map((c) => `${c.kind} ${c.name}`),
      ...(log.samples ?? []).map((s) => `${log.format}: ${s.name}`),
    ];
    const group = groups.find((g) => g.logs[0]?.quoted === log.quoted && keys.some((k) => g.keys.has(k)));
    if (!group) groups.push({ logs: [log], keys: new Set(keys) });
    else {
      group.logs.push(log);
      for (const key of keys) group.keys.add(key);
    }
  }
  return groups.map((g) => g.logs);
}
