import { Option, type Command } from 'commander';
import { WRONG_USAGE, explain } from './explain.js';
import { UsageError } from '../shared/usage-error.js';
import { periodOf, type IssueKind } from '../statement/issue/period.js';
import type { IssueArguments } from './issue.js';
import { jsonOption, programOption, settings } from './options.js';

const SHARED =
  'Issues the missing documents: the same command again issues no document twice. Running gateways share the work. It can be stopped and started again at any time.';
const STATUS = {
  0: 'every document that is due is issued',
  1: 'documents of some accounts could not be issued, or the database failed',
  2: WRONG_USAGE,
  '130, 143': 'stopped by SIGINT or SIGTERM; running gateways continue, and so does the same command',
};

export function statementsClose(command: Command): void {
  explain(command, {
    about: [
      SHARED,
      'An issued statement never changes. Transactions that are posted later for its month appear on the next statement.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS', 'PROGRAMS_FILE'),
    result: {
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
    },
    examples: {
      'tillgate statements close --month 2026-06':
        'Issues the statements of June 2026 to the accounts of all programs.',
      'tillgate statements close --month 2026-06 --program demo --json':
        'To the accounts of one program, with the result as JSON.',
    },
    status: STATUS,
  });
  command
    .description('Issue the statements of a month that is over, to every account with a balance or with entries.')
    .addOption(periodOption('--month <month>', 'the month, such as 2026-06', 'close'))
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(jsonOption())
    .action(async ({ month, ...options }: IssueArguments & { month: string }) => {
      const { issue } = await import('./issue.js');
      await issue('close', month, options);
    });
}

export function statements1099(command: Command): void {
  explain(command, {
    about: [
      SHARED,
      'If the ledger has changed since a form was issued, a corrected form is issued that refers to the first one. PROGRAMS_FILE names the payer.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS', 'PROGRAMS_FILE'),
    result: {
      kind: '1099',
      period: '2025',
      program: null,
      accounts: 22,
      issued: 9,
      corrected: 0,
      notOverYet: 0,
      failed: 1,
      batchesGivenUp: 0,
      failures: [{ accountId: 'demo-1001', code: 'recipient_unknown' }],
      seconds: 0.4,
      finished: true,
    },
    examples: {
      'tillgate statements 1099 --year 2025': 'Issues the forms of 2025 to the accounts of all programs.',
      'tillgate statements 1099 --year 2025 --program demo --json':
        'To the accounts of one program, with the result as JSON.',
    },
    status: STATUS,
  });
  command
    .description('Issue the Forms 1099-INT of a year that is over, to every account that was paid interest.')
    .addOption(periodOption('--year <year>', 'the tax year, such as 2026', '1099'))
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(jsonOption())
    .action(async ({ year, ...options }: IssueArguments & { year: string }) => {
      const { issue } = await import('./issue.js');
      await issue('1099', year, options);
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
