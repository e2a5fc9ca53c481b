#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { eventsVerify } from './commands/events.js';
import { importRecords } from './commands/import.js';
import { keysGenerate, keysRotate } from './commands/keys.js';
import { migrate } from './commands/migrate.js';
import { serve } from './commands/serve.js';
import { statements1099, statementsClose } from './commands/statements.js';
import { token } from './commands/token.js';
import { commandLog } from './commands/with-bank.js';
import { BadSettings } from './config.js';
import { failureOf } from './platform/cli/failure.js';

/** How long a command that failed may take to close what it still can. */
const EXIT_WITHIN_MS = 5000;

const tillgate = new Command('tillgate')
  .description('A GraphQL gateway over a banking domain, with its REST contract beside it.')
  .addHelpText(
    'after',
    '\nSettings come from the environment. Exit status: 0 all done, 1 something failed or was rejected, 2 wrong usage or settings.',
  )
  .exitOverride();

serve(tillgate.command('serve'));
migrate(tillgate.command('migrate'));
token(tillgate.command('token'));
importRecords(tillgate.command('import'));

const keys = tillgate.command('keys').description('The keys that seal personal data.');
keysGenerate(keys.command('generate'));
keysRotate(keys.command('rotate'));

const statements = tillgate.command('statements').description('The documents of accounts.');
statementsClose(statements.command('close'));
statements1099(statements.command('1099'));

const events = tillgate.command('events').description('The record of who changed what.');
eventsVerify(events.command('verify'));

try {
  await tillgate.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);
} catch (error) {
  const { status, message, unexpected } =
    error instanceof BadSettings ? { status: 2, message: error.message, unexpected: false } : failureOf(error);
  if (message !== null) process.stderr.write(`${message}\n`);
  if (unexpected) commandLog().error(error);
  process.exitCode = status;
  // What failed may have left something open that would keep the process alive.
  setTimeout(() => process.exit(), EXIT_WITHIN_MS).unref();
}
