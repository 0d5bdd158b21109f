import { rules, type Rule } from '../../src/core/rules/index.js';

export const path = 'docs/nits.md';

export function render(): string {
  const nits = rules.filter((rule) => rule.nit);
  const others = rules.filter((rule) => !rule.nit);
  const parts = [
    '# Rules',
    'Generated from `src/core/rules/` by `npm run docs`. Nits never cause a mail: at most three ride on one that is worth sending anyway. ' +
      'A rule of confidence `low` is never sent. *Default* says whether the rule is on where a policy says nothing; `review --all-nits` shows all. ' +
      'checkpatch types are named where a rule answers to one: the rule is our own, measured against checkpatch.',
    '## Nits',
    ...nits.map(section),
    ...(others.length === 0 ? [] : ['## Waits and claims', ...others.map(section)]),
    differences,
  ];
  return `${parts.join('\n\n')}\n`;
}

function section({ id, title, level, confidence, default: on, checkpatch, why, instead, source, since }: Rule): string {
  const types = checkpatch === undefined ? [] : [checkpatch].flat().map((type) => `\`${type}\``);
  const facts = [
    `level ${level}`,
    `confidence ${confidence}`,
    `default ${on ? 'on' : 'off'}`,
    ...(types.length === 0 ? [] : [`checkpatch ${types.join(', ')}`]),
    `since ${since}`,
  ];
  return `### ${id}\n\n${title}: ${facts.join(', ')}.\n\n${why} ${instead}\n\nSource: ${source}.`;
}

const differences = `## Where we differ from checkpatch

- A subject is read decoded and unfolded; checkpatch sees its first physical line.
- Lengths of commit messages are characters, not bytes.
- \`usleep_range(x, x)\` is seen below an \`if\` and with arithmetic in its arguments.
- Links in list footers are not the author's: they are no \`PREFER_LORE_ARCHIVE\`.
- A mail whose every line ends in CR LF has no DOS line endings: mail travels so. \`DOS_LINE_ENDINGS\` has no rule.
- A mail without a diff is no patch: \`NOT_UNIFIED_DIFF\` has no rule.
- Each patch of a mail with several is judged alone.
- A comment at the start of a line does not move the statement after it off its tab stop (\`TABSTOP\`).
- A \`+++\` in the prose of a commit message does not end it.
- Not done, for they need a spelling list, a git history, a kernel tree or the C of whole files: \`TYPO_SPELLING\`, \`UNKNOWN_COMMIT_ID\`,
  \`FILE_PATH_CHANGES\`, \`PATCH_PREFIX\`, \`USE_RELATIVE_PATH\`, \`OBSOLETE\`, \`INVALID_UTF8\`. \`review --checkpatch\` runs the tree's own script.`;
