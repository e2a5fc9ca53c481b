import { availableParallelism } from 'node:os';
import { Option, type Command } from 'commander';
import type { Container } from '../app/container.js';
import type { IssueKind } from '../bank/statement/issue/period.js';
import { WRONG_USAGE, explain, type Explanation } from './explain.js';
import { jsonOption, periodOption, programOption, settings } from './options.js';
import { commandLog, startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

/** Batches of accounts that are worked on at once: while the documents of one are drawn, another is read or written. */
const BATCHES_AT_ONCE = 2;

/** The object that `--json` prints of a run, by an example. */
export const CLOSED = {
  runId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
  kind: 'close',
  period: '2026-06',
  program: null,
  accounts: 22,
  issued: 22,
  corrected: 0,
  notOverYet: 0,
  notDue: 0,
  leftOut: 0,
  unprintable: 0,
  batchesGivenUp: 0,
  accountsLeftOut: [],
  seconds: 1.1,
  finished: true,
};

export function statementsClose(command: Command, process: CommandProcess): void {
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
    .description(
      'Issue the statements of a month that is over, to every account with transactions, and to others as their program says.',
    )
    .addOption(periodOption('--month <month>', 'the month, such as 2026-06', 'close'))
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(jsonOption())
    .action(({ month, ...options }: IssueOptions & { month: string }) => issue(process, 'close', month, options));
}

export function statements1099(command: Command, process: CommandProcess): void {
  explainIssue(command, {
    about:
      'Where a form was issued, and the amounts, the recipient’s name, tax id or address, or the payer’s name or tax id are others now, a corrected form is issued that refers to it. A form that would lack the tax id or the address of the recipient, or be in another currency than US dollars, is left out with its reasons.',
    result: {
      ...CLOSED,
      kind: '1099',
      period: '2025',
      issued: 9,
      leftOut: 1,
      accountsLeftOut: [{ accountId: 'demo-1001', reasons: ['no_tax_id', 'no_address'] }],
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
    .addOption(incompleteOption())
    .addOption(jsonOption())
    .action(({ year, ...options }: IssueOptions & { year: string }) => issue(process, '1099', year, options));
}

function explainIssue(
  command: Command,
  { about, ...rest }: Pick<Explanation, 'result' | 'examples'> & { readonly about: string },
): void {
  explain(command, {
    about: [
      'Issues the missing documents: the same command again issues no document twice. Running gateways share the work. It can be stopped and started again at any time.',
      about,
      'Documents say who issues them as tillgate programs show has it when the run begins. A program that lacks what they must say is refused before the first document.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    status: {
      0: 'every document that is due is issued',
      1: 'accounts were left out, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; running gateways continue, and so does the same command',
    },
    ...rest,
  });
}

/** The option for forms that lack something. */
export function incompleteOption(): Option {
  return new Option('--incomplete <what>', 'what becomes of tax forms that lack something or are not in US dollars')
    .choices(['leave-out', 'issue'])
    .default('leave-out');
}

interface IssueOptions {
  readonly program?: string;
  readonly incomplete?: 'leave-out' | 'issue';
  readonly json?: boolean;
}

/** Issues the documents of a period, `2026-06` or `2026`. */
async function issue(process: CommandProcess, kind: IssueKind, period: string, options: IssueOptions): Promise<void> {
  const { config, ...run } = startCommand(process, options);
  const { checkIssue, issueDocuments } = await import('../bank/statement/issue/issue-documents.js');
  await withContainer(process, config, async container => {
    const wish = { kind, period, program: options.program ?? null, issueIncomplete: options.incomplete === 'issue' };
    const order = { ...container, ...wish, startedBy: 'COMMAND_LINE' as const, ...run };
    await checkIssue(order);
    return takingPart(process, container, () => issueDocuments(order));
  });
}

/** Issues documents in this process, too, while the work is done. */
export async function takingPart(
  process: CommandProcess,
  container: Container,
  work: () => Promise<number>,
): Promise<number> {
  const { JobHealth } = await import('../platform/jobs/job-health.js');
  const { DocumentThreads } = await import('../bank/statement/document-threads.js');
  const { takePartInIssuing } = await import('../bank/statement/issue/issuing.js');
  const threads = new DocumentThreads(availableParallelism(), container.nouns.layouts);
  const leave = await takePartInIssuing({
    ...container,
    vault: container.statementVault,
    log: await commandLog(process),
    health: new JobHealth(),
    tasks: container.nouns.tasks(container),
    concurrency: BATCHES_AT_ONCE,
    threads,
    monthly: false,
  });
  try {
    return await work();
  } finally {
    await leave();
    await threads.close();
  }
}
