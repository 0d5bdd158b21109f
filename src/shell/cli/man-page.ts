import type { CommandEntry, OptionEntry } from './command-table.js';

export type ManFacts = {
  readonly version: string;
  readonly errors: readonly { readonly exit: number; readonly meaning: string }[];
};

/** reveille(1) in troff's man macros (man(7)), made from the table of commands. */
export function manPage(table: CommandEntry, { version, errors }: ManFacts): string {
  const commands = table.commands.filter(({ name }) => name !== 'help');
  return [
    `.\\" Made from the commands by npm run docs.`,
    `.TH REVEILLE 1 "" "reveille ${version}" "User Commands"`,
    '.SH NAME',
    text('reveille - find the waits that kernel patches change, and say what they do to boot time'),
    '.SH SYNOPSIS',
    '.B reveille',
    '.I command',
    text('[options] [arguments]'),
    '.SH DESCRIPTION',
    text(
      'Reveille reads patch mail, finds waits that a patch changes, predicts by simulation what that does to boot time, checks the timing claims and boot logs in the mail, and answers in the thread, in plain text, once, or not at all. Results go to standard output, everything else to standard error. Nothing is sent but by the daemon, to lists that its policy names.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...errors.flatMap(({ exit, meaning }) => ['.TP', `.B ${exit}`, text(meaning)]),
    text('Other inputs are still done where one fails; the worst status wins.'),
    '.SH ENVIRONMENT',
    '.TP',
    '.B NO_COLOR',
    text('Where it is set and not empty, nothing is coloured.'),
    '.SH FILES',
    text(
      'config/policy.yaml in the package is an example of a policy; docs/configuration.md names every key of settings and policy; config/schema/ has the JSON contracts.',
    ),
    '.SH EXAMPLES',
    ...example('Review what you are about to send', 'reveille review --git origin..'),
    ...example('What changed in waits last week, from a mailbox', 'reveille summary ~/Mail/lkml --since 7d'),
    ...example(
      'What the bot would have sent to a list',
      'reveille replay linux-nvme.mbox.gz --format html > dossier.html',
    ),
    ...example(
      'What a shorter sleep would bring',
      "reveille simulate --before 'msleep(20)' --after 'usleep_range(1000, 2000)' --ready 3ms",
    ),
    '.SH SEE ALSO',
    text('b4(1), git-send-email(1), git-format-patch(1), lei(1)'),
    '',
  ].join('\n');
}

function commandSection(command: CommandEntry): string[] {
  const call = `reveille ${command.name}${command.usage === '' ? '' : ` ${command.usage}`}${command.options.length > 0 ? ' [options]' : ''}`;
  return [
    `.SS ${roff(call)}`,
    text(command.description),
    ...command.options.flatMap(optionLines),
    ...command.commands.flatMap(commandSection),
  ];
}

function optionLines({ flags, description, choices, fallback }: OptionEntry): string[] {
  const extra = [
    ...(choices.length > 0 ? [`one of ${choices.join(', ')}`] : []),
    ...(fallback === undefined || fallback === '' ? [] : [`default ${fallback}`]),
  ];
  const tail = extra.length > 0 ? ` (${extra.join('; ')})` : '';
  return ['.TP', `.B ${roff(flags)}`, text(`${description}${tail}`)];
}

function example(what: string, command: string): string[] {
  return ['.PP', text(`${what}:`), '.RS', '.nf', roff(command), '.fi', '.RE'];
}

function text(words: string): string {
  return roff(words);
}

/** Text that troff prints as it stands: backslashes, hyphens, quotes, and a dot or an apostrophe at the start of a line. */
function roff(words: string): string {
  const plain = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('\n', ' ');
  return /^[.]/.test(plain) ? `\\&${plain}` : plain;
}
