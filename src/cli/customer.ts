import { Option, type Command } from 'commander';
import { UsageError } from '../shared/usage-error.js';
import type { CommandProcess } from './command-process.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';

interface Options {
  readonly program: string;
  readonly reason: string;
  readonly out?: string;
  readonly json?: boolean;
}

export function customerExport(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Writes one JSON document: the record of the customer with nothing masked; the cards that the customer holds; each account with its history, holds, transfers, documents (by their ids), notes and events; and notes and events of the customer. Beneficiaries and other parties are masked, since it is their data.',
      'Each export is the event customer.exported. The file contains personal data, and only its owner may read it.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { customerId: '0000d001-0000-4000-8000-000000000000', records: 312, seconds: 0.2, finished: true },
    examples: {
      'tillgate customer export 0000d001-0000-4000-8000-000000000000 --program demo --reason "Request 2026-118" --out maren.json':
        'Writes what the bank has about a person into a file.',
    },
    status: {
      0: 'everything is written',
      1: 'the program has no such customer, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again',
    },
  });
  command
    .description('Write everything that is on record about a customer.')
    .argument('<id>', 'the id of the customer')
    .addOption(programOption('the tenant of the customer').makeOptionMandatory())
    .addOption(new Option('--reason <text>', 'why, for the event: at most 200 characters').makeOptionMandatory())
    .option('--out <file>', 'the file; without it, standard output')
    .addOption(jsonOption())
    .action(async (id: string, options: Options) => {
      const { program, reason, out: file = null } = options;
      const { ReasonInput } = await import('../bank/account/account.service.js');
      const { brokenRules } = await import('../platform/input/read-input.js');
      const [broken] = brokenRules(Object.assign(new ReasonInput(), { reason }), '');
      if (broken) throw new UsageError(`--reason is wrong. ${broken.detail}`);
      const { config, ...run } = startCommand(process, options);
      const { gatewayCaller } = await import('../platform/command/recording.js');
      const { ExportTally } = await import('../platform/report/exported.js');
      const { writeExport } = await import('../platform/report/write-export.js');
      const { SCOPES } = await import('../shared/caller.js');
      await withContainer(process, config, async ({ subjectExports }) => {
        const caller = gatewayCaller(program, 'customer', { scopes: SCOPES });
        const customerId = id.toLowerCase();
        const tally = new ExportTally(null);
        const parts = await subjectExports.open(caller, { customerId, reason }, tally);
        const result = () => ({ customerId, records: tally.rows });
        return writeExport({ name: 'records', tally, parts, result }, { file, stdout: process.stdout, ...run });
      });
    });
}
