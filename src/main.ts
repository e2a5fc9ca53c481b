#!/usr/bin/env node
import 'reflect-metadata';
import { completion } from './commands/completion.js';
import { eventsVerify } from './commands/events.js';
import { importRecords } from './commands/import.js';
import { keysGenerate, keysRotate } from './commands/keys.js';
import { migrate } from './commands/migrate.js';
import { run } from './commands/run.js';
import { serve } from './commands/serve.js';
import { statements1099, statementsClose } from './commands/statements.js';
import { commandGroup, tillgateCommand } from './commands/tillgate.js';
import { token } from './commands/token.js';

const tillgate = tillgateCommand();

serve(tillgate.command('serve'));
migrate(tillgate.command('migrate'));
token(tillgate.command('token'));

importRecords(tillgate.command('import'));

const statements = commandGroup(tillgate, 'statements', 'Issue the documents of accounts.', {
  'tillgate statements close --month 2026-06': 'Issues the statements of June 2026.',
});
statementsClose(statements.command('close'));
statements1099(statements.command('1099'));

const keys = commandGroup(tillgate, 'keys', 'Make and rotate the keys that seal personal data.', {
  'tillgate keys rotate --help': 'Explains how keys are rotated.',
});
keysGenerate(keys.command('generate'));
keysRotate(keys.command('rotate'));

const events = commandGroup(tillgate, 'events', 'Check the record of who changed what.', {
  'tillgate events verify': 'Tells every event that was changed or removed.',
});
eventsVerify(events.command('verify'));

completion(tillgate.command('completion'));

await run(tillgate);
