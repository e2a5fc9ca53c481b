#!/usr/bin/env node
import 'reflect-metadata';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Argument, Command } from 'commander';
import { startGateway } from './app.js';
import { openBank, type Bank } from './bank.js';
import { BadSettings, readConfig, type Config } from './config.js';
import { verifyEvents } from './event/event.verify.js';
import { IMPORTS, type ImportName } from './imports.js';
import { failureOf } from './platform/cli/failure.js';
import { importFile } from './platform/cli/import-file.js';
import { readProgram } from './platform/cli/names.js';
import { keepHeapSmall } from './platform/cli/small-heap.js';
import { rotateKeys } from './platform/cli/rotate-keys.js';
import { KeyRing } from './platform/crypto/key-ring.js';
import { openConfiguredDatabase } from './platform/database/open-configured.js';
import { stopSignal } from './platform/cli/stop-signal.js';
import { signToken, type TokenOptions } from './platform/cli/token.js';
import { UsageError } from './platform/cli/usage-error.js';
import { migrate } from './platform/database/migrate.js';
import { openSource } from './platform/import/source.js';
import { createLogger } from './platform/logging/logger.js';
import { DocumentThreads } from './statement/document-threads.js';
import { checkIssue, issueDocuments } from './statement/issue-documents.js';
import type { IssueKind } from './statement/issue-run.js';
import { takePartInIssuing } from './statement/issuing.js';
import { SEALS } from './seals.js';

const tillgate = new Command('tillgate')
  .description('A GraphQL gateway over a banking domain, with its REST contract beside it.')
  .addHelpText(
    'after',
    '\nSettings come from the environment. Exit status: 0 all done, 1 something failed or was rejected, 2 wrong usage or settings.',
  )
  .exitOverride();

tillgate.command('serve').description('Serve both doors until SIGTERM or SIGINT. The default command.').action(serve);

tillgate
  .command('migrate')
  .description('Bring the tables of the database up to date, and print what was applied.')
  .action(migrateDatabase);

tillgate
  .command('token')
  .description('Print an access token of the development issuer.')
  .requiredOption('--program <program>', 'the tenant whose data it opens')
  .option(
    '--scope <scopes>',
    'what it allows, space separated (default: all but pii.read; for a customer not operations either)',
  )
  .option('--customer <id>', 'binds it to one customer, who sees only what that customer owns')
  .option('--ttl <seconds>', 'how long it is valid', '3600')
  .action(printToken);

tillgate
  .command('import')
  .description("Import the bank's own records, one JSON object a line. The same file again changes nothing.")
  .addArgument(new Argument('<kind>', 'what the records are').choices(Object.keys(IMPORTS)))
  .argument('<file>', 'a file, plain or gzip, or - for standard input')
  .requiredOption('--program <program>', 'the tenant to whom the records belong')
  .addHelpText(
    'after',
    `
Customers come before their accounts, accounts before their beneficiaries. Lines that are wrong are told with their reasons in
FILE.rejected.ndjson, and the others go in. It can be stopped at any moment and started again.

Examples:
  tillgate import customers customers.ndjson.gz --program demo
  generate-accounts | tillgate import accounts - --program demo`,
  )
  .action(importRecords);

const keysCommand = tillgate.command('keys').description('The keys that seal personal data.');

keysCommand
  .command('generate')
  .description('Print a new key as an entry of FIELD_KEYS. Changes nothing.')
  .action(() => void process.stdout.write(`${KeyRing.generate()}\n`));

keysCommand
  .command('rotate')
  .description('Seal again, under the newest key, whatever is under an older one. Gateways may serve meanwhile.')
  .addHelpText(
    'after',
    `
The newest key is the first entry of FIELD_KEYS or, in development without it, of the file field-keys in DATA_DIR. To rotate:
  1. Put a new key (tillgate keys generate) in front, with a comma after it, and start every gateway again. Where several
     serve, put it at the end first and start them all again, so that each can open what the others will seal.
  2. tillgate keys rotate. It can be stopped at any moment and started again.
  3. Drop the keys that it says are no longer needed. A backup from before needs them still.
Rows that cannot be opened are told with their primary keys, and the others go on.`,
  )
  .action(rotateAllKeys);

const statementsCommand = tillgate.command('statements').description('The documents of accounts.');

statementsCommand
  .command('close')
  .description('Issue the statements of a month that is over, to every account with a balance or with entries.')
  .requiredOption('--month <month>', 'the month, for example 2026-06')
  .option('--program <program>', 'only the accounts of this tenant')
  .addHelpText(
    'after',
    `
Issues what is missing: a statement that is issued never changes, and what is posted later for its month is on the next one. Gateways
that serve share the work. It can be stopped at any moment and started again.`,
  )
  .action(({ month, program }: { month: string; program?: string }) => issue('close', month, program));

statementsCommand
  .command('1099')
  .description('Issue the Forms 1099-INT of a year that is over, to every account that was paid interest.')
  .requiredOption('--year <year>', 'the tax year, for example 2026')
  .option('--program <program>', 'only the accounts of this tenant')
  .addHelpText(
    'after',
    `
Issues what is missing. Where the ledger no longer says what a form says, a corrected form is issued that names the one it replaces.
The payer is who PROGRAMS_FILE says the program is.`,
  )
  .action(({ year, program }: { year: string; program?: string }) => issue('1099', year, program));

const eventsCommand = tillgate.command('events').description('The record of who changed what.');

eventsCommand
  .command('verify')
  .description('Compute the hashes of all events anew, and tell every event that was changed or removed.')
  .option('--heads <file>', 'also hold them against the heads that the last run kept there, and keep the present ones')
  .addHelpText(
    'after',
    `
The events of an account are a chain: each has a hash over itself and the hash before it. What is removed from the end of a chain
shows only against a head that was kept elsewhere, so keep FILE where those who can write to the database cannot.

Example:
  tillgate events verify --heads /audit/tillgate-heads`,
  )
  .action(verifyAllEvents);

/** How long a command that failed may take to close what it still can. */
const EXIT_WITHIN_MS = 5000;

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const stop = stopSignal();
  const gateway = await startGateway(config, log);
  process.stdout.write(`${gateway.url}\n`);
  if (!stop.aborted) await once(stop, 'abort');
  log.info({ signal: stop.reason as string }, 'stopping');
  await gateway.stop();
  log.info('stopped');
}

async function migrateDatabase(): Promise<void> {
  const opened = await openConfiguredDatabase(readConfig(process.env), []);
  let applied: string[];
  try {
    applied = await migrate(opened.database);
  } finally {
    await opened.close();
  }
  process.stdout.write(
    applied.length > 0 ? applied.map(name => `${name}\n`).join('') : 'The database is up to date.\n',
  );
}

async function printToken(options: TokenOptions): Promise<void> {
  const config = readConfig(process.env);
  if (config.auth) {
    throw new UsageError(
      'AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URL are set: get the token from that issuer, or unset them for the development issuer.',
    );
  }
  process.stdout.write(`${await signToken(config.dataDir, options)}\n`);
}

async function importRecords(name: ImportName, file: string, options: { program: string }): Promise<void> {
  keepHeapSmall();
  const config = readConfig(process.env);
  const program = readProgram(options.program);
  const stop = stopSignal();
  const source = await openSource(file, process.stdin, stop);
  const { stdout, stderr } = process;
  process.exitCode = await withBank(config, bank =>
    importFile({ database: bank.database, kind: IMPORTS[name](bank), name, program, source, stop, stdout, stderr }),
  );
}

async function rotateAllKeys(): Promise<void> {
  const config = readConfig(process.env);
  const stop = stopSignal();
  const { stdout, stderr } = process;
  process.exitCode = await withBank(config, ({ database, keys }) =>
    rotateKeys({ database, keys, columns: SEALS, stop, stdout, stderr }),
  );
}

async function verifyAllEvents({ heads }: { heads?: string }): Promise<void> {
  const config = readConfig(process.env);
  const stop = stopSignal();
  const { stdout, stderr } = process;
  process.exitCode = await withBank(config, ({ database }) =>
    verifyEvents({ database, headsFile: heads ?? null, stop, stdout, stderr }),
  );
}

async function issue(kind: IssueKind, period: string, program: string | undefined): Promise<void> {
  keepHeapSmall();
  const config = readConfig(process.env);
  const ofProgram = program === undefined ? null : readProgram(program);
  const stop = stopSignal();
  const { stdout, stderr } = process;
  process.exitCode = await withBank(config, async bank => {
    const order = { ...bank, kind, period, program: ofProgram, stop, stdout, stderr };
    await checkIssue(order);
    const threads = new DocumentThreads(availableParallelism());
    const leave = await takePartInIssuing({
      ...{ ...bank, vault: bank.statementVault, log: commandLog(), concurrency: 2, threads, monthly: false },
    });
    try {
      return await issueDocuments(order);
    } finally {
      await leave();
      await threads.close();
    }
  });
}

async function withBank<Result>(config: Config, work: (bank: Bank) => Promise<Result>): Promise<Result> {
  const bank = await openBank(config, commandLog());
  try {
    return await work(bank);
  } finally {
    await bank.close();
  }
}

// Standard output is for results, and an import is no server: only what needs attention is logged.
function commandLog() {
  return createLogger({ level: 'warn', destination: process.stderr });
}

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
