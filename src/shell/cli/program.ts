import { Command } from 'commander';

/** Only the command that is called is loaded: starting stays quick. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  review: async () => (await import('./review.js')).reviewCommand(),
  simulate: async () => (await import('./simulate.js')).simulateCommand(),
  measure: async () => (await import('./measure.js')).measureCommand(),
  boot: async () => (await import('./boot.js')).bootCommand(),
  nits: async () => (await import('./nits.js')).nitsCommand(),
  replay: async () => (await import('./replay.js')).replayCommand(),
  summary: async () => (await import('./summary.js')).summaryCommand(),
  daemon: async () => (await import('./daemon.js')).daemonCommand(),
  worker: async () => (await import('./worker.js')).workerCommand(),
  doctor: async () => (await import('./doctor.js')).doctorCommand(),
  queue: async () => (await import('./queue.js')).queueCommand(),
  completion: async () => (await import('./completion.js')).completionCommand(),
};

/** The program without its commands. */
export function emptyProgram(version: string): Command {
  return new Command('reveille')
    .version(version)
    .description('Finds the waits that kernel patches change, and says what they do to boot time.');
}

/** The program with all of its commands, for what is made from them: help, completion, the man page. */
export async function wholeProgram(version: string): Promise<Command> {
  const program = emptyProgram(version);
  for (const load of Object.values(commands)) program.addCommand(await load());
  return program;
}
