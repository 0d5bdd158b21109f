import { z } from 'zod';
import { bare, policyFileSchema, settingsSchema } from '../../src/shell/config/index.js';

export const path = 'docs/configuration.md';

/** docs/configuration.md: every key of the settings file and of the policy, from the schemas that read them. */
export function render(): string {
  return `# Configuration

Made from the schemas in \`src/shell/config/\` by \`npm run docs\`. Both files are YAML. An unknown key is an error that names file,
line and nearest known key. Times carry their unit: \`90 s\`, \`20 min\`, \`2 h\`, \`1 d\`. Secrets are given by reference, never in a file of ours.

## Settings: \`--config FILE\`

| key | what | default |
| --- | --- | --- |
${rowsOf(settingsSchema, '').join('\n')}

## Policy: \`policy.yaml\`

Who may be written to. What is not named gets no mail; a missing or broken policy sends nothing at all. \`LIST-ID\` stands for a
list's exact List-Id, in lower case and without brackets.

| key | what | default |
| --- | --- | --- |
${rowsOf(policyFileSchema, '').join('\n')}
`;
}

function rowsOf(schema: z.ZodType, prefix: string): string[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodRecord)
    return rowsOf(inner.valueType as z.ZodType, `${prefix}${prefix === 'authors.' ? 'ADDRESS' : 'LIST-ID'}.`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const below = rowsOf(value, `${name}.`);
    const what = describe(value);
    if (below.length > 0 && what === '') return below;
    return [`| \`${name}\` | ${what} | ${defaultOf(value)} |`, ...below];
  });
}

function describe(schema: z.ZodType): string {
  const inner = bare(schema);
  const text = schema.description ?? (inner instanceof z.ZodType ? inner.description : undefined) ?? '';
  const options = inner instanceof z.ZodEnum ? ` (${inner.options.map((o) => `\`${o}\``).join(', ')})` : '';
  return `${text}${options}`.trim().replaceAll('|', '\\|');
}

function defaultOf(schema: z.ZodType): string {
  let here: unknown = schema;
  for (let depth = 0; depth < 6; depth++) {
    if (here instanceof z.ZodOptional) return '';
    if (here instanceof z.ZodDefault || here instanceof z.ZodPrefault) {
      const value: unknown = here.def.defaultValue;
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? ''
        : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    }
    if (!(here instanceof z.ZodPipe)) break;
    here = here.in;
  }
  return bare(schema) instanceof z.ZodObject ? '' : 'must be given';
}
