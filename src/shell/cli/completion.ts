import { Argument, Command } from 'commander';
import { commandTable } from './command-table.js';
import { completionScript, shells, type Shell } from './completion-scripts.js';
import { programVersion } from '../config/index.js';
import { print } from './output.js';
import { wholeProgram } from './program.js';

/** `reveille completion SHELL`: a completion script made from the commands of this very program. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      '\nbash: source <(reveille completion bash)\nzsh:  reveille completion zsh > ~/.zfunc/_reveille\nfish: reveille completion fish > ~/.config/fish/completions/reveille.fish',
    )
    .action(async (shell: Shell) => {
      await print(completionScript(shell, commandTable(await wholeProgram(programVersion()))));
    });
}
