import { availableParallelism } from 'node:os';
import { Option, type Command } from 'commander';
import { UsageError } from '../shared/usage-error.js';
import { periodOf, type IssueKind } from '../statement/issue/period.js';
import { WRONG_USAGE, explain, type Explanation } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { commandLog, startCommand, withContainer } from './with-container.js';

/** Batches of accounts that are worked on at once: while the documents of one are drawn, another is read or written. */
const BATCHES_AT_ONCE = 2;

const CLOSED = {
  kind: 'close',
  period: '2026-06',
  program: null,
  accounts: 22,
  issued: 22,
  corrected: 0,
  notOverYet: 0,
  failed: 0,
  batchesGivenUp: 0,
  failures: [],
  seconds: 1.1,
  finished: true,
};

export function statementsClose(command: Command): void {
  explainIssue(command, {
    about:
      'An issued statement never changes. Transactions that are posted later for its month appear on the next statement.',
    result: CLOSED,
    examples: {
      'tillgate statements close --month 2026-06':
        'Issues the statements of June 2026 to the accounts of all programs.',
      'tillgate statements close --month 2026-06 --program demo --json':
        'To the accounts of one program, with the result as JSON.',
    },
  });
  command
    .description('Issue the statements of a month that is over, to every account with a balance or with entries.')
    .addOption(periodOption('--month <month>', 'the month, such as 2026-06', 'close'))
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(jsonOption())
    .action(({ month, ...options }: IssueOptions & { month: string }) => issue('close', month, options));
}

export function statements1099(command: Command): void {
  explainIssue(command, {
    about:
      'If the ledger has changed since a form was issued, a corrected form is issued that refers to the first one. PROGRAMS_FILE names the payer.',
    result: {
      ...CLOSED,
      kind: '1099',
      period: '2025',
      issued: 9,
      failed: 1,
      failures: [{ accountId: 'demo-1001', code: 'recipient_unknown' }],
      seconds: 0.4,
    },
    examples: {
      'tillgate statements 1099 --year 2025': 'Issues the forms of 2025 to the accounts of all programs.',
      'tillgate statements 1099 --year 2025 --program demo --json':
        'To the accounts of one program, with the result as JSON.',
    },
  });
  command
    .description('Issue the Forms 1099-INT of a year that is over, to every account that was paid interest.')
    .addOption(periodOption('--year <year>', 'the tax year, such as 2026', '1099'))
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(jsonOption())
    .action(({ year, ...options }: IssueOptions & { year: string }) => issue('1099', year, options));
}

function explainIssue(
  command: Command,
  { about, ...rest }: Pick<Explanation, 'result' | 'examples'> & { readonly about: string },
): void {
  explain(command, {
    about: [
      'Issues the missing documents: the same command again issues no document twice. Running gateways share the work. It can be stopped and started again at any time.',
      about,
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS', 'PROGRAMS_FILE'),
    status: {
      0: 'every document that is due is issued',
      1: 'documents of some accounts could not be issued, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; running gateways continue, and so does the same command',
    },
    ...rest,
  });
}

/** An option that is required: the period of a kind. */
function periodOption(flags: string, description: string, kind: IssueKind): Option {
  const option = new Option(flags, description).makeOptionMandatory();
  return option.argParser((text: string) => {
    if (periodOf(kind, text) !== null) return text;
    throw new UsageError(`${option.long} must be ${description.replace(/^the (?:tax )?(\w+),/, 'a $1')}.`);
  });
}

interface IssueOptions {
  readonly program?: string;
  readonly json?: boolean;
}

/** Issues the documents of a period, `2026-06` or `2026`. */
async function issue(kind: IssueKind, period: string, options: IssueOptions): Promise<void> {
  const { config, ...run } = startCommand(options);
  const { DocumentThreads } = await import('../statement/document-threads.js');
  const { checkIssue, issueDocuments } = await import('../statement/issue/issue-documents.js');
  const { takePartInIssuing } = await import('../statement/issue/issuing.js');
  await withContainer(config, async container => {
    const order = { ...container, kind, period, program: options.program ?? null, ...run };
    await checkIssue(order);
    const threads = new DocumentThreads(availableParallelism());
    const leave = await takePartInIssuing({
      ...container,
      vault: container.statementVault,
      log: commandLog(),
      concurrency: BATCHES_AT_ONCE,
      threads,
      monthly: false,
    });
    try {
      return await issueDocuments(order);
    } finally {
      await leave();
      await threads.close();
    }
  });
}
