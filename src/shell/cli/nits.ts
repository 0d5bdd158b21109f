import { Command, Option } from 'commander';
import { rules } from '../../core/rules/index.js';

/** `reveille nits`: the rules, explained. */
export function nitsCommand(): Command {
  return new Command('nits')
    .description('Lists the rules: what they look for, and which are on by default.')
    .addOption(new Option('--format <format>', 'how to print them').choices(['text', 'json']).default('text'))
    .action(({ format }: { format: string }) => {
      process.stdout.write(format === 'json' ? renderNitsJson() : renderNitsText());
    });
}

/** The catalogue as the contract has it: one array, `checkpatch` null where a rule answers to no type of it. */
export function renderNitsJson(): string {
  const list = rules.map(({ id, title, checkpatch = null, level, confidence, default: on, nit }) => ({
    id,
    title,
    checkpatch,
    level,
    confidence,
    default: on,
    nit,
  }));
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** The catalogue for people: one rule a paragraph, within 80 columns where the words allow. */
export function renderNitsText(): string {
  const parts = rules.map(({ id, title, checkpatch, level, confidence, default: on, why, instead }) => {
    const types = checkpatch === undefined ? '' : `, checkpatch ${[checkpatch].flat().join(' ')}`;
    const head = `${id}  (${level}, confidence ${confidence}, ${on ? 'on' : 'off'} by default${types})`;
    return [head, `  ${title}.`, ...wrapped(why), ...wrapped(instead)].join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of text.split(' ')) {
    if (line.length + word.length > 78 && line.trim() !== '') {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
