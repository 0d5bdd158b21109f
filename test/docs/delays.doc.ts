import { join } from 'node:path';
import type { Api } from '../../src/core/delay/index.js';
import { loadCatalogue } from '../../src/shell/config/index.js';

export const path = 'docs/delays.md';

/** The catalogue of delaying calls as a document. */
export async function render(): Promise<string> {
  const { format } = await import('prettier');
  const { apis } = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
  const files = [...new Set(apis.map((a) => a.file))];
  const out = [
    '# Delaying calls',
    '',
    'Generated from `config/delays/` by `npm run docs`. Arguments are counted from 0. A bound is where a wait gives up.',
    '',
  ];
  for (const file of files) {
    out.push(
      `## ${file.replace('.yaml', '')}`,
      '',
      '| call | kind | clock | delay | bound | may be atomic | reads as |',
    );
    out.push('| --- | --- | --- | --- | --- | --- | --- |', ...apis.filter((a) => a.file === file).map(row), '');
  }
  return format(out.join('\n'), { parser: 'markdown', printWidth: 120, singleQuote: true });
}

function row(api: Api): string {
  const era = [
    api.since === undefined ? '' : `since ${api.since}`,
    api.until === undefined ? '' : `until ${api.until}`,
  ];
  const flavour = api.flavour === 'linux' ? [] : [api.flavour];
  const remarks = [...flavour, ...era.filter((e) => e !== '')].join(', ');
  const span =
    api.span === undefined
      ? ''
      : `${api.span.from === api.span.to ? api.span.from : `${api.span.from}..${api.span.to}`} in ${api.span.unit}`;
  const limit = api.limit === undefined ? '' : `${api.limit.argument} in ${api.limit.unit}`;
  const reads = api.reads.map(
    (r) => `\`${r.call}\`: ${[r.span, r.limit && `up to ${r.limit}`].filter(Boolean).join(', ')}`,
  );
  const atomic = api.atomic === undefined ? '?' : api.atomic ? 'yes' : 'no';
  const cells = [
    `\`${api.name}\`${remarks === '' ? '' : ` (${remarks})`}`,
    api.kind,
    api.clock,
    span,
    limit,
    atomic,
    reads.join('; '),
  ];
  return `| ${cells.map((c) => c.replaceAll('|', '\\|')).join(' | ')} |`;
}
