import type { Argument, Command, Option } from 'commander';

/** One command as help, completion and the man page tell of it; all three are made from the same table. */
export type CommandEntry = {
  /** Words that call it: `queue list`. */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  readonly options: readonly OptionEntry[];
  readonly commands: readonly CommandEntry[];
};

export type OptionEntry = {
  readonly flags: string;
  readonly long: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly isFile: boolean;
  readonly fallback?: string;
};

/** The table of a program, read from the commands themselves. */
export function commandTable(program: Command, prefix = ''): CommandEntry {
  const name = prefix === '' ? program.name() : `${prefix} ${program.name()}`.trim();
  const below = name === 'reveille' ? '' : name;
  return {
    name: below,
    usage: [...program.registeredArguments.map(argumentWords)].join(' '),
    description: sentence(program.description()),
    options: program.options.filter((option) => !option.hidden).map(optionEntry),
    commands: program.commands.map((command) => commandTable(command, below)),
  };
}

function argumentWords(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionEntry(option: Option): OptionEntry {
  const value: unknown = option.defaultValue;
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  return {
    flags: option.flags,
    long: option.long ?? option.short ?? option.flags,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
    isFile: /<(?:file|dir|path|folder)/i.test(option.flags),
    ...(shown === undefined ? {} : { fallback: shown }),
  };
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.:!?]$/.test(capital) ? capital : `${capital}.`;
}

/** Every command that can be called, the program itself first. */
export function flatCommands(table: CommandEntry): CommandEntry[] {
  return [table, ...table.commands.flatMap(flatCommands)];
}
