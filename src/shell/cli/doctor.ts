import { Command } from 'commander';
import { examine } from '../bot/index.js';
import { print } from './output.js';

/** `reveille doctor`: says what is wrong with a daemon's surroundings and how to mend it. Exit 0, 2 or 3; the worst wins. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check settings, policy, store, IMAP and SMTP; sends nothing')
    .requiredOption('--config <file>', 'settings file of the daemon')
    .action(async ({ config }: { config: string }) => {
      let status = 0;
      for await (const checked of examine(config)) {
        if (checked.kind === 'wrong') {
          status = Math.max(status, checked.failure.exit);
          await print(`wrong  ${checked.what}: ${checked.failure.message}\n       ${checked.failure.mend}\n`);
        } else {
          await print(`${checked.kind.padEnd(5)}  ${checked.what}: ${checked.found}\n`);
        }
      }
      process.exitCode = status;
    });
}
