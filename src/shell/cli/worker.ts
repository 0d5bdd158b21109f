import { Command, InvalidArgumentError } from 'commander';
import { allRoles, isRole, runDaemon, type Role } from '../bot/index.js';
import { endOnSignals } from './daemon.js';

type Options = { readonly config: string; readonly role?: readonly Role[] };

/** `reveille worker`: one of many processes, on any hosts, that share a PostgreSQL store. */
export function workerCommand(): Command {
  return new Command('worker')
    .description('do a part of the work of a daemon, beside others on the same PostgreSQL store, for ever')
    .requiredOption('--config <file>', 'settings file, as the daemon has it; docs/scale.md shows several machines')
    .option(
      '--role <names>',
      `what to do, with commas between: ${allRoles.join(', ')}; all of it where absent`,
      (text: string) => parseRoles(text),
    )
    .action(async ({ config, role }: Options) => {
      await runDaemon(config, endOnSignals(), { roles: role ?? allRoles, isWorker: true });
    });
}

function parseRoles(text: string): Role[] {
  const roles: Role[] = [];
  for (const name of new Set(text.split(','))) {
    if (!isRole(name)) throw new InvalidArgumentError(`"${name}" is none of ${allRoles.join(', ')}.`);
    roles.push(name);
  }
  return roles;
}
