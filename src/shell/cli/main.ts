#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { nitsCommand } from './nits.js';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

const program = new Command('reveille').version(version).description('Reviews waits in kernel patch mail.');
program.addCommand(nitsCommand());
await program.parseAsync();
