import { silenceReasons, silentReasons, worthReasons } from '../../src/core/review/index.js';

export const path = 'docs/silence.md';

/** docs/silence.md: the closed lists of reasons for a mail and for none. */
export function render(): string {
  return `# Why it writes, and why it does not

Made from \`src/core/review/silence.ts\` by \`npm run docs\`. Each review has its reasons from these lists; \`reveille replay\`,
\`summary\` and \`/metrics\` count by them.

## Worth a mail

${tableOf(worthReasons)}
## Not worth one

What the mail itself has to offer.

${tableOf(silentReasons)}
## Worth one, and not sent

What policy, thread and time say when a series is due. \`nothing-to-say\` has the content's own reason beside it.

${tableOf(silenceReasons)}`;
}

function tableOf(words: Readonly<Record<string, string>>): string {
  const rows = Object.entries(words).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return `| reason | meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
}
