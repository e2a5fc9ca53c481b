import 'reflect-metadata';
import { eventsVerify } from './events.js';
import { importRecords } from './import.js';
import { keysGenerate, keysRotate } from './keys.js';
import { migrate } from './migrate.js';
import { run } from './run.js';
import { serve } from './serve.js';
import { statements1099, statementsClose } from './statements.js';
import { commandGroup, tillgateCommand } from './tillgate.js';
import { token } from './token.js';

/** Runs the command that the arguments name. A command loads what its work needs when it runs, so that each starts at once. */
export async function runCommandLine(): Promise<void> {
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

  const keys = commandGroup(tillgate, 'keys', 'Generate and rotate the keys that encrypt personal data.', {
    'tillgate keys rotate --help': 'Explains how keys are rotated.',
  });
  keysGenerate(keys.command('generate'));
  keysRotate(keys.command('rotate'));

  const events = commandGroup(tillgate, 'events', 'Check the record of who changed what.', {
    'tillgate events verify': 'Reports every event that was changed or removed.',
  });
  eventsVerify(events.command('verify'));

  await run(tillgate);
}
