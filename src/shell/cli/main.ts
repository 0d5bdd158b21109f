#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { endQuietlyOnClosedPipe } from './output.js';

// The only place that sets the exit status (with the commands' own results): 0 done, 1 findings when asked to fail on them,
// 2 wrong usage or configuration, 3 the outside world.

// Only the command that is called is loaded: starting stays quick.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  review: async () => (await import('./review.js')).reviewCommand(),
  simulate: async () => (await import('./simulate.js')).simulateCommand(),
  measure: async () => (await import('./measure.js')).measureCommand(),
  boot: async () => (await import('./boot.js')).bootCommand(),
  nits: async () => (await import('./nits.js')).nitsCommand(),
  replay: async () => (await import('./replay.js')).replayCommand(),
  summary: async () => (await import('./summary.js')).summaryCommand(),
  daemon: async () => (await import('./daemon.js')).daemonCommand(),
  doctor: async () => (await import('./doctor.js')).doctorCommand(),
  queue: async () => (await import('./queue.js')).queueCommand(),
};

endQuietlyOnClosedPipe();
// Our own file.
const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };
const program = new Command('reveille')
  .version(version)
  .description('Finds the waits that kernel patches change, and says what they do to boot time.');
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
