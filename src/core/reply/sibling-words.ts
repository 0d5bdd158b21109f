import type { DelayChange, Sibling } from '../delay/index.js';

const mostNamed = 2;

/** Names the places of the kernel tree that poll as the changed one did, for whoever would mend them too; empty where none is known. */
export function siblingWords(changes: readonly DelayChange[]): string {
  const siblings = changes.find((c) => c.siblings.length > 0)?.siblings ?? [];
  if (siblings.length === 0) return '';
  const named = siblings.slice(0, mostNamed).map(place).join(', and ');
  const more = siblings.length > mostNamed ? `; ${siblings.length - mostNamed} more like them` : '';
  return `Places in the tree that poll alike: ${named}${more}.`;
}

function place({ file, function: name, text }: Sibling): string {
  const words = name === undefined ? `${file} (${text})` : `${name}() in ${file} (${text})`;
  return words.replace(/\s+/g, ' ').slice(0, 200);
}
