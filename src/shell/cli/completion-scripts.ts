import { flatCommands, type CommandEntry, type OptionEntry } from './command-table.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A completion script for a shell, made from the table of commands. */
export function completionScript(shell: Shell, table: CommandEntry): string {
  switch (shell) {
    case 'bash':
      return bashScript(table);
    case 'zsh':
      return zshScript(table);
    case 'fish':
      return fishScript(table);
    default:
      return shell satisfies never;
  }
}

function ownName({ name }: CommandEntry): string {
  return name.split(' ').at(-1) ?? '';
}

function longs({ options }: CommandEntry): string[] {
  return [...options.map(({ long }) => long), '--help'];
}

function bashScript(table: CommandEntry): string {
  const commands = flatCommands(table);
  const values = commands.flatMap((command) =>
    command.options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `    '${command.name} ${long}') words='${choices.join(' ')}' ;;`),
  );
  const files = [
    ...new Set(
      commands.flatMap(({ options }) =>
        options.filter(({ takesValue, choices }) => takesValue && choices.length === 0).map(({ long }) => long),
      ),
    ),
  ];
  const words = commands.map(
    (command) => `    '${command.name}') words='${[...command.commands.map(ownName), ...longs(command)].join(' ')}' ;;`,
  );
  const known = commands.filter(({ name }) => name !== '').map(({ name }) => `'${name}'`);
  return `# bash completion of reveille, made by "reveille completion bash"
_reveille() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
    ${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  COMPREPLY=()
  case "$command $prev" in
${values.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$prev" in
    ${files.join('|')}) return ;;
    esac
    case "$command" in
${words.join('\n')}
    esac
    # Files are offered by bash itself where no word fits.
    case "$cur" in -*) ;; *) words="\${words%%--*}" ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _reveille reveille
`;
}

function zshScript(table: CommandEntry): string {
  const functions = flatCommands(table).map(zshFunction);
  return `#compdef reveille
# zsh completion of reveille, made by "reveille completion zsh"
${functions.join('\n')}
_reveille "$@"
`;
}

function zshFunction(command: CommandEntry): string {
  const own = functionName(command);
  const options = command.options.map((option) => `    ${zshQuote(zshOption(option))} \\`).join('\n');
  if (command.commands.length === 0) {
    return `${own}() {\n  _arguments -S \\\n${options}\n    '--help[what it does]' \\\n    '*:file:_files'\n}`;
  }
  const names = command.commands.map(
    (one) => `      ${zshQuote(`${ownName(one)}:${one.description.replaceAll(':', '\\:')}`)}`,
  );
  const calls = command.commands.map((one) => `      ${ownName(one)}) ${functionName(one)} ;;`);
  return `${own}() {
  local -a commands
  local state line
  _arguments -C -S \\
${options === '' ? '' : `${options}\n`}    '--help[what it does]' \\
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
  command)
    commands=(
${names.join('\n')}
    )
    _describe command commands
    ;;
  argument)
    case $line[1] in
${calls.join('\n')}
    esac
    ;;
  esac
}`;
}

function functionName({ name }: CommandEntry): string {
  return `_reveille${name === '' ? '' : `_${name.replaceAll(/[ -]/g, '_')}`}`;
}

function zshOption({ long, description, takesValue, choices, isFile }: OptionEntry): string {
  const words = description.replaceAll(/[[\]:]/g, (sign) => `\\${sign}`);
  const value = !takesValue
    ? ''
    : choices.length > 0
      ? `:value:(${choices.join(' ')})`
      : isFile
        ? ':file:_files'
        : ':value: ';
  return `${long}[${words}]${value}`;
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishScript(table: CommandEntry): string {
  const lines = flatCommands(table).flatMap((command) => {
    const seen = command.name
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
    const below = command.commands.map(ownName);
    const when = seen === '' ? '' : ` -n ${fishQuote(seen)}`;
    const first =
      seen === '' ? '__fish_use_subcommand' : `${seen}; and not __fish_seen_subcommand_from ${below.join(' ')}`;
    return [
      ...command.commands.map(
        (one) => `complete -c reveille -n ${fishQuote(first)} -f -a ${ownName(one)} -d ${fishQuote(one.description)}`,
      ),
      ...command.options.map((option) => `complete -c reveille${when} ${fishOption(option)}`),
    ];
  });
  return `# fish completion of reveille, made by "reveille completion fish"\n${lines.join('\n')}\n`;
}

function fishOption({ long, description, takesValue, choices, isFile }: OptionEntry): string {
  const value = !takesValue
    ? ''
    : choices.length > 0
      ? ` -x -a ${fishQuote(choices.join(' '))}`
      : isFile
        ? ' -r -F'
        : ' -x';
  return `-l ${long.replace(/^--/, '')}${value} -d ${fishQuote(description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
