import { Argument, Option, type Command } from 'commander';
import { UsageError } from '../shared/usage-error.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, periodOption, programOption, settings } from './options.js';
import { takingPart } from './statements.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';
import type { FileOptions } from './tax-files.js';

const FILED = {
  filings: [{ filingId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11', kind: 'ORIGINAL', forms: 9 }],
  unfilable: [{ accountId: 'demo-1005', reason: 'unfilable_address' }],
  unfilableForms: 1,
};

const ANSWERED = {
  filingId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
  part: 1,
  state: 'ACCEPTED_WITH_ERRORS',
  forms: 9,
  withErrors: [
    {
      accountId: 'demo-1001',
      statementId: '5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60',
      errors: [{ code: 'RECIPIENT_TIN', message: 'The name and the TIN do not match.' }],
    },
  ],
};

export function taxFile(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Writes the returns of the Forms 1099-INT that are issued: those that were not filed before, and corrections of what the IRS accepted; or, where the IRS rejected files, what replaces them. While the IRS has not answered, nothing else can be filed.',
      'With --transmitter it writes XML for the IRIS system of the IRS, in files of at most 100 MB. With --template it writes CSV for the IRIS Taxpayer Portal, 250 forms a file, in the columns of the template of the year: sign in at https://www.irs.gov/iris, choose Form 1099-INT, and download it.',
      'Files contain whole tax ids, and only their owner may read them. docs/tax.md describes the file of a transmitter.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: FILED,
    examples: {
      'tillgate tax file --year 2026 --program demo --transmitter transmitter.json --out returns':
        'Writes the returns of 2026 as XML into a folder.',
      'tillgate tax file --year 2026 --program demo --template template.csv --out returns':
        'Writes them as CSV for the portal.',
    },
    status: {
      0: 'the files are written, or nothing is to be filed',
      1: 'forms cannot be filed as they are, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; the same command files again',
    },
  });
  command
    .description('Write the returns of the Forms 1099-INT of a year for the IRS, and keep what is filed.')
    .addOption(periodOption('--year <year>', 'the tax year, such as 2026', '1099'))
    .addOption(programOption('the tenant').makeOptionMandatory())
    .addOption(new Option('--transmitter <file>', 'who sends the returns, for XML').conflicts('template'))
    .addOption(new Option('--template <file>', 'the template of the IRIS Taxpayer Portal, for CSV'))
    .requiredOption('--out <folder>', 'the folder of the files')
    .option('--test', 'for the test system of the IRS')
    .addOption(jsonOption())
    .action(async (options: FileOptions) => {
      if (options.transmitter === undefined && options.template === undefined) {
        throw new UsageError(
          'Name --transmitter FILE for XML, or --template FILE for CSV. The template of the year is in the IRIS Taxpayer Portal: https://www.irs.gov/iris',
        );
      }
      const { config, report, stop } = startCommand(process, options);
      const { fileReturns, filingOrder } = await import('./tax-files.js');
      const order = await filingOrder(options);
      await withContainer(process, config, container =>
        takingPart(process, container, () =>
          fileReturns({ ...container, program: options.program, order, folder: options.out, report, stop }),
        ),
      );
    });
}

export function taxAcknowledge(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Reads what the IRS answered to a file: its receipt, whether the returns were accepted, and the errors of each of them. Values of returns that the IRS repeats are not kept.',
      'Correct what has errors, issue the year again, and run tillgate tax file, which makes the corrections.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: ANSWERED,
    examples: { 'tillgate tax acknowledge answer.xml': 'Keeps an answer, and lists what is to do.' },
    status: { 0: 'accepted or received', 1: 'rejected, or with errors, or the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Keep what the IRS answered to a file of returns.')
    .addArgument(new Argument('<file>', 'the answer of the IRS, in XML'))
    .addOption(jsonOption())
    .action(async (file: string, options: { readonly json?: boolean }) => {
      const { config, report } = startCommand(process, options);
      const { acknowledgeFile } = await import('./tax-files.js');
      await withContainer(process, config, container => acknowledgeFile({ ...container, report }, file));
    });
}

interface MarkOptions {
  readonly filing: string;
  readonly state: 'sent' | 'accepted' | 'rejected';
  readonly receipt?: string | null;
  readonly json?: boolean;
}

export function taxMark(command: Command, process: CommandProcess): void {
  explain(command, {
    about: ['For files that were uploaded in the IRIS Taxpayer Portal, which answers on its pages and not in a file.'],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { ...ANSWERED, state: 'ACCEPTED', withErrors: [] },
    examples: {
      'tillgate tax mark --filing 7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11 --state accepted --receipt 2027-1234':
        'Says that the portal accepted the files of a filing.',
    },
    status: { 0: 'kept', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Say what the IRIS Taxpayer Portal answered to the files of a filing.')
    .requiredOption('--filing <id>', 'the filing')
    .addOption(
      new Option('--state <state>', 'what became of it')
        .choices(['sent', 'accepted', 'rejected'])
        .makeOptionMandatory(),
    )
    .option('--receipt <receipt>', 'the receipt of the portal')
    .addOption(jsonOption())
    .action(async ({ filing, state, receipt = null, ...options }: MarkOptions) => {
      const { config, report } = startCommand(process, options);
      const { markFiling } = await import('./tax-files.js');
      const states = { sent: 'SENT', accepted: 'ACCEPTED', rejected: 'REJECTED' } as const;
      await withContainer(process, config, container =>
        markFiling({ ...container, report }, filing, states[state], receipt),
      );
    });
}
