import { join } from 'node:path';
import { formatNs } from '../../src/core/kernel/index.js';
import { readProfiles } from '../../src/shell/config/index.js';

export const path = 'docs/profiles.md';

/** The hardware profiles as a document. */
export async function render(): Promise<string> {
  const { format } = await import('prettier');
  const rows = readProfiles(join(import.meta.dirname, '..', '..', 'config', 'profiles')).map(
    ({ profile, isDefault }) => {
      const ready = profile.ready.map((p) => `${p.share * 100} %: ${formatNs(p.at, 3)}`).join('<br>');
      const where = [...profile.files, ...(profile.functions ?? [])].map((f) => `\`${f}\``).join(', ');
      return `| \`${profile.name}\` | ${profile.title} | ${isDefault ? 'always' : 'when asked for'} | ${where} | ${ready} | ${profile.source} |`;
    },
  );
  const text = `# Hardware profiles

Generated from \`config/profiles/\` by \`npm run docs\`. A profile says how long a device takes from a command to being ready: by shares of
all cases, with straight lines between them. Without one the ready time is swept, and an estimate is a curve. Numbers are only as good as
their source; a profile of one machine is used only when it is asked for.

| name | what | applies | to | ready after | source |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

To add one: a file \`config/profiles/NAME.yaml\` with \`title\`, \`default\`, \`files\` (path prefixes), \`ready\` (a list of \`share\` and \`at\`),
\`source\` (where, when and on which kernel it was taken), and where they matter \`functions\`, \`hz\`, \`kernel\`.
`;
  return format(text, { parser: 'markdown', printWidth: 120, singleQuote: true });
}
