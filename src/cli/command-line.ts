import 'reflect-metadata';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import { readManifest } from '../platform/manifest.js';
import { apply } from './apply.js';
import type { CommandProcess } from './command-process.js';
import { consoleEnd, consoleSessions } from './console.js';
import { customerExport } from './customer.js';
import { eventsVerify } from './events.js';
import { HELP_STYLE, WRONG_USAGE, explain, type Explanation } from './explain.js';
import { export1099, exportStatements, exportTransactions } from './export.js';
import { failureOf, type Failure } from './failure.js';
import { grants } from './grants.js';
import { importRecords } from './import.js';
import { keysGenerate, keysRotate } from './keys.js';
import { listen } from './listen.js';
import { mcp } from './mcp.js';
import { migrate } from './migrate.js';
import { requestsTail } from './requests.js';
import { shardsRebalance, shardsShow, shardsWhere } from './shards.js';
import { programsSet, programsShow } from './programs.js';
import { serve } from './serve.js';
import { retentionRun } from './retention.js';
import { statementsRerun, statementsRuns } from './statement-runs.js';
import { statements1099, statementsClose } from './statements.js';
import { taxAcknowledge, taxFile, taxMark } from './tax.js';
import { token } from './token.js';
import { tokensRevoke } from './tokens.js';
import { commandLog } from './with-container.js';
import { ThrowingCommand } from './wrong-usage.js';

/** The width of help that no terminal shows. */
const PIPE_COLUMNS = 80;
/** The time that a command that failed may take to close what it still can. */
const EXIT_WITHIN_MS = 5000;

/**
 * Runs the command that the arguments name. A command loads what its work needs when it runs, so that each starts at
 * once.
 */
export async function runCommandLine(process: CommandProcess): Promise<void> {
  const tillgate = tillgateCommand(process);

  serve(tillgate.command('serve'), process);
  migrate(tillgate.command('migrate'), process);
  grants(tillgate.command('grants'), process);
  token(tillgate.command('token'), process);
  listen(tillgate.command('listen'), process);
  mcp(tillgate.command('mcp'), process);

  importRecords(tillgate.command('import'), process);
  apply(tillgate.command('apply'), process);

  const programs = commandGroup(tillgate, 'programs', 'Set and show under which names programs issue documents.', {
    'tillgate programs show': 'Shows all programs, and what they lack to issue documents.',
  });
  programsSet(programs.command('set'), process);
  programsShow(programs.command('show'), process);

  const statements = commandGroup(tillgate, 'statements', 'Issue the documents of accounts.', {
    'tillgate statements close --month 2026-06': 'Issues the statements of June 2026.',
  });
  statementsClose(statements.command('close'), process);
  statements1099(statements.command('1099'), process);
  statementsRuns(statements.command('runs'), process);
  statementsRerun(statements.command('rerun'), process);

  const tax = commandGroup(tillgate, 'tax', 'File Forms 1099-INT with the IRS.', {
    'tillgate tax file --help': 'Explains how returns are written.',
  });
  taxFile(tax.command('file'), process);
  taxAcknowledge(tax.command('acknowledge'), process);
  taxMark(tax.command('mark'), process);

  const exports = commandGroup(tillgate, 'export', 'Write what the bank has in formats of other programs.', {
    'tillgate export transactions --help': 'Explains how the transactions of an account are exported.',
  });
  exportTransactions(exports.command('transactions'), process);
  exportStatements(exports.command('statements'), process);
  export1099(exports.command('1099'), process);

  const customer = commandGroup(tillgate, 'customer', 'Answer people who ask what is on record about them.', {
    'tillgate customer export --help': 'Explains what is exported.',
  });
  customerExport(customer.command('export'), process);

  const retention = commandGroup(tillgate, 'retention', 'Delete closed accounts whose time is over.', {
    'tillgate retention run --help': 'Explains what is deleted, and when.',
  });
  retentionRun(retention.command('run'), process);

  const keys = commandGroup(tillgate, 'keys', 'Generate and rotate the keys that encrypt personal data.', {
    'tillgate keys rotate --help': 'Explains how keys are rotated.',
  });
  keysGenerate(keys.command('generate'), process);
  keysRotate(keys.command('rotate'), process);

  const shards = commandGroup(tillgate, 'shards', 'Show and move the shards of a Citus cluster.', {
    'tillgate shards show': 'Shows how much of the accounts each node has.',
  });
  shardsShow(shards.command('show'), process);
  shardsWhere(shards.command('where'), process);
  shardsRebalance(shards.command('rebalance'), process);

  const events = commandGroup(tillgate, 'events', 'Check the record of who changed what.', {
    'tillgate events verify': 'Reports every event that was changed or removed.',
  });
  eventsVerify(events.command('verify'), process);

  const requests = commandGroup(tillgate, 'requests', 'Look at what clients send.', {
    'tillgate requests tail --program demo': 'Follows the requests of a program.',
  });
  requestsTail(requests.command('tail'), process);

  const console = commandGroup(tillgate, 'console', 'See and end the sessions of people at the console.', {
    'tillgate console sessions': 'Lists who is signed in.',
  });
  consoleSessions(console.command('sessions'), process);
  consoleEnd(console.command('end'), process);

  const tokens = commandGroup(tillgate, 'tokens', 'Refuse access tokens before they expire.', {
    'tillgate tokens revoke --help': 'Explains which tokens can be revoked.',
  });
  tokensRevoke(tokens.command('revoke'), process);

  await run(tillgate, process);
}

/** The command line before it has any commands. */
function tillgateCommand({ stdout, stderr }: CommandProcess): Command {
  const tillgate = new ThrowingCommand('tillgate')
    .description('A GraphQL gateway over a banking domain, with its REST contract beside it.')
    .version(readManifest().version, '-V, --version', 'print the version of Tillgate')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'Explain a command.')
    .configureHelp(HELP_STYLE)
    .configureOutput({
      writeOut: text => stdout.write(text),
      writeErr: text => stderr.write(text),
      getOutHelpWidth: () => stdout.columns || PIPE_COLUMNS,
      getErrHelpWidth: () => stderr.columns || PIPE_COLUMNS,
    })
    .exitOverride();
  return explain(tillgate, {
    about: [
      'Without a command it serves. Settings come from the environment, and npm run adds those of the file .env; .env.example explains each.',
    ],
    settings: {
      NODE_ENV:
        'production refuses what is for development only: embedded database, generated keys, own tokens, demo data',
      NO_COLOR: 'any value: no colours. FORCE_COLOR=1: colours even without a terminal',
    },
    examples: {
      tillgate: 'Serves with a database, keys and demo data of its own, and prints the address.',
      'tillgate import --help': 'Explains a command.',
    },
    status: {
      0: 'all done',
      1: 'something was rejected or failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again to finish',
    },
  });
}

/** A command that only holds others. `examples` shows what they are for. */
function commandGroup(parent: Command, name: string, description: string, examples: Explanation['examples']): Command {
  const status = { 2: WRONG_USAGE };
  return explain(parent.command(name).description(description), { examples, status });
}

/**
 * Runs the command that the arguments name (`serve` where they name none), tells how it failed, and sets the exit
 * status.
 */
async function run(tillgate: Command, process: CommandProcess): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', outliveReader);
  try {
    await tillgate.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);
  } catch (error) {
    const failure = failureOf(error);
    tell(failure, process);
    if (failure.unexpected) (await commandLog(process)).error(error);
    process.exitCode = failure.status;
    // The channel to the process that forked this one would keep it alive.
    process.channel?.unref();
    // A failed command may have left something open that would keep the process alive.
    setTimeout(() => process.exit(), EXIT_WITHIN_MS).unref();
  }
}

/** A reader that has gone (`| head -1`) wants no more, and what was begun is brought to its end all the same. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function tell({ code, message }: Failure, process: CommandProcess): void {
  if (message === null) return;
  // Asked of the arguments themselves, since what failed may be their reading.
  const text = process.argv.includes('--json')
    ? JSON.stringify({ error: { code, message } })
    : styleText('red', message, { stream: process.stderr });
  process.stderr.write(`${text}\n`);
}
