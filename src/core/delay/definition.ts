import type { Block } from '../csource/index.js';
import type { Side } from './side.js';

/** A function whose definition the mail shows, with its parameters in order. */
export type Helper = {
  readonly side: Side;
  readonly block: Block;
  readonly params: readonly string[];
  readonly types: string;
};

/** The function of this name whose body the mail shows on one side. */
export function helperNamed(name: string, which: Side['which'], sides: readonly Side[]): Helper | undefined {
  for (const side of sides) {
    if (side.which !== which) continue;
    const block = side.fragment.blocks().find((b) => b.kind === 'function' && b.name === name);
    if (block === undefined) continue;
    const head = side.fragment.text.slice(block.start, block.start + 600);
    const list = /\(([^)]*)\)/.exec(head)?.[1] ?? '';
    const params = list.split(',').map((p) => /(\w+)\s*$/.exec(p)?.[1] ?? '');
    return { side, block, params, types: list };
  }
  return undefined;
}
