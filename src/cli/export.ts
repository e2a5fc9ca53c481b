import { Option, type Command } from 'commander';
import { REPORT_FORMATS, type ReportFormatName } from '../../lib/account-report/formats.js';
import { isDay } from '../shared/calendar.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { UsageError } from '../shared/usage-error.js';
import { periodOf } from '../bank/statement/issue/period.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, periodOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

const FORMATS = Object.keys(REPORT_FORMATS);

const STATUS = {
  0: 'everything is written',
  1: 'the account does not exist, or the database failed',
  2: WRONG_USAGE,
  '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again',
};

const PRIVATE = 'The files contain personal data, and only their owner may read them.';

export function exportTransactions(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Only booked transactions are exported, by the days on which they were posted in the time zone of the account, with the balances before and after them.',
      `There is no limit of transactions. ${PRIVATE}`,
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { format: 'ofx', transactions: 12, seconds: 0.1, finished: true },
    examples: {
      'tillgate export transactions --account demo-1001 --from 2026-01-01 --to 2026-03-31 --format camt.053 --out quarter.xml':
        'Writes the transactions of a quarter into a file.',
      'tillgate export transactions --account demo-1001 --from 2026-03-01 --to 2026-03-31 --format csv | head':
        'Prints the first ones.',
    },
    status: STATUS,
  });
  command
    .description('Write the transactions of an account in a format of accounting programs.')
    .addOption(accountOption('the account').makeOptionMandatory())
    .addOption(dayOption('--from <day>', 'the first day, such as 2026-01-01'))
    .addOption(dayOption('--to <day>', 'the last day, such as 2026-03-31'))
    .addOption(formatOption(FORMATS))
    .addOption(bomOption())
    .option('--out <file>', 'the file; without it, standard output')
    .addOption(jsonOption())
    .action(async (options: TransactionsOptions) => {
      const { account: accountId, from: start, to: end, format, bom = false, out: file = null } = options;
      if (start > end) throw new UsageError('--to must not be before --from.');
      requireCsv(bom, format);
      const { config, ...run } = startCommand(process, options);
      const order = { accountId, range: { start, end }, format, bom, file, stdout: process.stdout, ...run };
      const work = await import('../bank/transaction/report/export-transactions.js');
      await withContainer(process, config, ({ reports }) => work.exportTransactions({ reports, ...order }));
    });
}

interface TransactionsOptions {
  readonly account: string;
  readonly from: string;
  readonly to: string;
  readonly format: ReportFormatName;
  readonly bom?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

export function exportStatements(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      `Writes each monthly statement that this gateway issued into a file of its own, named by its account and its date. Characters of an account id other than letters, digits, _ and - are percent-encoded. The same command again writes the same bytes. ${PRIVATE}`,
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { format: 'ofx', statements: 22, seconds: 0.4, finished: true },
    examples: {
      'tillgate export statements --month 2026-06 --format camt.053 --out statements/2026-06':
        'Writes the statements of June 2026 of all programs.',
      'tillgate export statements --month 2026-06 --program demo --format pdf --out statements/2026-06':
        'Writes the PDFs of one program.',
    },
    status: STATUS,
  });
  command
    .description('Write the statements of a month, each into a file.')
    .addOption(periodOption('--month <month>', 'the month, such as 2026-06', 'close'))
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(accountOption('only the statement of this account'))
    .addOption(formatOption(['pdf', 'json', ...FORMATS]))
    .addOption(bomOption())
    .requiredOption('--out <folder>', 'the folder; it is made if it does not exist')
    .addOption(jsonOption())
    .action(async ({ month, account, format, bom = false, ...options }: StatementsOptions) => {
      requireCsv(bom, format);
      const { config, ...run } = startCommand(process, options);
      const { exportStatements: work } = await import('../bank/statement/export/export-documents.js');
      const selection = selectionOf('STATEMENTS', month, options.program ?? null, account ?? null);
      const { out } = options;
      await withContainer(process, config, container => work({ ...container, selection, format, bom, out, ...run }));
    });
}

interface StatementsOptions {
  readonly month: string;
  readonly program?: string;
  readonly account?: string;
  readonly format: string;
  readonly bom?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

export function export1099(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      `Writes one line for each form as it was issued: both parties and all boxes, with the whole tax id of the recipient, which the IRS wants and the form does not show; forms that were issued before it was kept have it truncated. A correction is a line of its own below the form that it corrects, and names it; the corrected form names its correction. ${PRIVATE}`,
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { forms: 9, seconds: 0.1, finished: true },
    examples: {
      'tillgate export 1099 --year 2025 --program demo --out forms-2025.csv': 'Writes the forms of 2025 of a program.',
    },
    status: STATUS,
  });
  command
    .description('Write the Forms 1099-INT of a year as CSV.')
    .addOption(periodOption('--year <year>', 'the tax year, such as 2026', '1099'))
    .addOption(programOption('the tenant whose forms they are').makeOptionMandatory())
    .addOption(bomOption())
    .requiredOption('--out <file>', 'the file')
    .addOption(jsonOption())
    .action(async ({ year, program, bom = false, out, ...options }: FormsOptions) => {
      const { config, ...run } = startCommand(process, options);
      const { exportTaxForms } = await import('../bank/statement/export/export-documents.js');
      const selection = selectionOf('TAX_1099', year, program, null);
      await withContainer(process, config, container => exportTaxForms({ ...container, selection, bom, out, ...run }));
    });
}

interface FormsOptions {
  readonly year: string;
  readonly program: string;
  readonly bom?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

function selectionOf(
  documentType: 'STATEMENTS' | 'TAX_1099',
  period: string,
  program: string | null,
  accountId: string | null,
) {
  const kind = documentType === 'STATEMENTS' ? 'close' : '1099';
  const statementDate = periodOf(kind, period)?.end;
  if (statementDate === undefined) throw new Error('a period was not checked');
  return { documentType, statementDate, program, accountId };
}

function accountOption(description: string): Option {
  return new Option('--account <id>', `${description}, such as demo-1001`).argParser((text: string) => {
    if (BANK_ID.test(text)) return text;
    throw new UsageError(`--account must be ${BANK_ID_FORM}.`);
  });
}

function dayOption(flags: string, description: string): Option {
  const option = new Option(flags, description).makeOptionMandatory();
  return option.argParser((text: string) => {
    if (isDay(text)) return text;
    throw new UsageError(`${option.long} must be a day, such as 2026-01-31.`);
  });
}

function formatOption(names: readonly string[]): Option {
  const option = new Option('--format <format>', names.join(', ')).makeOptionMandatory();
  return option.argParser((text: string) => {
    if (names.includes(text)) return text;
    throw new UsageError(`--format must be one of ${names.join(', ')}.`);
  });
}

function bomOption(): Option {
  return new Option('--bom', 'put a byte order mark before CSV, by which Excel knows UTF-8');
}

function requireCsv(bom: boolean, format: string): void {
  if (bom && format !== 'csv') throw new UsageError('--bom is for --format csv.');
}
