import { failures } from '../../src/shell/config/index.js';

export const path = 'docs/errors.md';

/** docs/errors.md: every code of the one table in src/shell/config/failure.ts. */
export function render(): string {
  const rows = Object.entries(failures).map(([code, { title, mend, retry, exit }]) => {
    const again = retry === 'later' ? 'It is tried again by itself.' : 'Trying again does not help.';
    return `## ${code}\n\n${title} ${again} Exit status ${exit}.\n\nWhat to do: ${mend}\n`;
  });
  return `# Errors\n\nMade from \`src/shell/config/failure.ts\` by \`npm run docs\`.\n\n${rows.join('\n')}`;
}
