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
      'Writes one JSON document: the record of the customer with nothing masked; each account with its history, the cards that the customer holds, holds, transfers, documents (by their ids), notes and events; and notes and events of the customer. Beneficiaries and other parties are masked, since it is their data.',
      'Each export is the event customer.exported. The file contains personal data, and only its owner may read it.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { customerId: '0000d001-0000-4000-8000-000000000000', bytes: 48_213, finished: true },
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
    .addOption(new Option('--reason <text>', 'why, for the event: 3 to 200 characters').makeOptionMandatory())
    .option('--out <file>', 'the file; without it, standard output')
    .addOption(jsonOption())
    .action(async (customerId: string, options: Options) => {
      const { program, reason, out: file = null } = options;
      if (reason.trim().length < 3 || reason.length > 200) {
        throw new UsageError('--reason must have 3 to 200 characters.');
      }
      const { config, stop, report, stderr } = startCommand(process, options);
      const { gatewayCaller } = await import('../platform/command/recording.js');
      const { writeFileWhole, writeToStream } = await import('../platform/report/file-output.js');
      const { statusOf } = await import('../platform/report/stop-signal.js');
      const { SCOPES } = await import('../shared/caller.js');
      await withContainer(process, config, async ({ subjectExports }) => {
        const caller = gatewayCaller(program, 'customer', { scopes: SCOPES });
        const order = { customerId: customerId.toLowerCase(), reason };
        let bytes = 0;
        const counted = async function* (parts: AsyncIterable<Buffer>) {
          for await (const part of parts) {
            bytes += part.length;
            yield part;
          }
        };
        const parts = counted(await subjectExports.open(caller, order));
        const finished = await (file === null
          ? writeToStream(process.stdout, parts, stop)
          : writeFileWhole(file, parts, stop));
        if (!finished) {
          stderr.write('The export was stopped. Run the same command again.\n');
          return statusOf(stop.reason);
        }
        if (file === null) return 0;
        report.line(`exported: customer ${order.customerId} of ${program}, ${bytes} bytes`);
        report.result({ customerId: order.customerId, bytes, finished });
        return 0;
      });
    });
}
