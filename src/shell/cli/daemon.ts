import { Command } from 'commander';
import { runDaemon } from '../bot/index.js';

/** `reveille daemon`: watches mailboxes and answers, until SIGTERM or SIGINT; a second signal ends it at once. */
export function daemonCommand(): Command {
  return new Command('daemon')
    .description('watch mailboxes and answer what the policy allows, for ever')
    .requiredOption('--config <file>', 'settings file; docs/operations.md shows every key')
    .action(async ({ config }: { config: string }) => {
      await runDaemon(config, endOnSignals());
    });
}

/** Aborted by SIGTERM or SIGINT; a second one ends the process at once. */
export function endOnSignals(): AbortSignal {
  const end = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      end.abort();
      process.once(name, () => process.exit(3));
    });
  }
  return end.signal;
}
