import { Argument, type Command } from 'commander';
import { readConfig } from '../config.js';
import { IMPORTS, type ImportName } from '../imports.js';
import { importFile } from '../platform/cli/import-file.js';
import { readProgram } from '../platform/cli/names.js';
import { keepHeapSmall } from '../platform/cli/heap.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { openSource } from '../platform/import/source.js';
import { withBank } from './with-bank.js';

export function importRecords(command: Command): void {
  command
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
    .action(async (name: ImportName, file: string, options: { program: string }) => {
      keepHeapSmall();
      const config = readConfig(process.env);
      const program = readProgram(options.program);
      const stop = stopSignal();
      const source = await openSource(file, process.stdin, stop);
      const { stdout, stderr } = process;
      process.exitCode = await withBank(config, bank =>
        importFile({ database: bank.database, kind: IMPORTS[name](bank), name, program, source, stop, stdout, stderr }),
      );
    });
}
