import { programVersion } from '../../src/shell/config/index.js';
import { commandTable } from '../../src/shell/cli/command-table.js';
import { manPage } from '../../src/shell/cli/man-page.js';
import { wholeProgram } from '../../src/shell/cli/program.js';

export const path = 'docs/reveille.1';

/** docs/reveille.1: every command and option, from the commands themselves. */
export async function render(): Promise<string> {
  const version = programVersion();
  return manPage(commandTable(await wholeProgram(version)), {
    version,
    errors: [
      { exit: 0, meaning: 'Done.' },
      { exit: 1, meaning: 'There are findings, and --fail-on asked to fail on them.' },
      { exit: 2, meaning: 'Wrong usage or configuration, or input that holds no mail.' },
      { exit: 3, meaning: 'The outside world failed: something is unreadable or unreachable.' },
    ],
  });
}
