#!/usr/bin/env node
import { createRequire } from 'node:module';
import { CommanderError } from 'commander';
import { endQuietlyOnClosedPipe } from './output.js';
import { commands, emptyProgram } from './program.js';

// The only place that sets the exit status (with the commands' own results): 0 done, 1 findings when asked to fail on them,
// 2 wrong usage or configuration, 3 the outside world.

endQuietlyOnClosedPipe();
// Our own file.
const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };
const program = emptyProgram(version);
const asked = process.argv[2] ?? '';
const called = asked === '--version' || asked === '-V' ? [] : [commands[asked] ?? Object.values(commands)].flat();
for (const load of called) program.addCommand(await load());
for (const command of [program, ...program.commands]) command.exitOverride().showHelpAfterError('(--help says more)');

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    const { Failure } = await import('../config/index.js');
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`reveille: ${error.message}\n${error.mend}\n`);
    process.exitCode = error.exit;
  }
}
