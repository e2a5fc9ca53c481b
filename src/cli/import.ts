import { Argument, type Command } from 'commander';
import { readConfig } from '../app/config.js';
import { IMPORTS, type ImportName } from '../app/imports.js';
import { WRONG_USAGE, explain } from './explain.js';
import { keepHeapSmall } from './heap.js';
import { Report } from '../platform/report/report.js';
import { stopSignal } from '../platform/report/stop-signal.js';
import { openSource } from '../platform/import/source.js';
import { jsonOption, programOption, settings } from './options.js';
import { withContainer } from './with-container.js';

export function importRecords(command: Command): void {
  explain(command, {
    about: [
      'Import customers before their accounts, and accounts before their beneficiaries and transactions. Wrong lines are written with their reasons to FILE.rejected.ndjson, and the other lines are imported.',
      'The import can be stopped and started again at any time: records that are already in the database count as unchanged.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      kind: 'customers',
      program: 'demo',
      new: 3,
      updated: 0,
      unchanged: 1,
      rejected: 0,
      lastLine: 4,
      rejectedFile: null,
      finished: true,
      seconds: 0.1,
    },
    examples: {
      'tillgate import customers customers.ndjson.gz --program demo': 'Imports a file, and shows the progress.',
      'generate-accounts | tillgate import accounts - --program demo': 'Imports what another program prints.',
      'tillgate import transactions ledger.ndjson --program demo --json': 'Prints the counts as JSON.',
    },
    status: {
      0: 'every line is in the database',
      1: 'lines were rejected, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again to finish',
    },
  });
  command
    .description("Import the bank's own records, one JSON object a line. The same file again changes nothing.")
    .addArgument(new Argument('<kind>', 'what the records are').choices(Object.keys(IMPORTS)))
    .argument('<file>', 'a file, plain or gzip, or - for standard input')
    .addOption(programOption('the tenant to whom the records belong').makeOptionMandatory())
    .addOption(jsonOption())
    .action(async (name: ImportName, file: string, { program, json = false }: { program: string; json?: boolean }) => {
      keepHeapSmall();
      const config = readConfig(process.env);
      const stop = stopSignal();
      const source = await openSource(file, process.stdin, stop);
      const report = new Report(process.stdout, json);
      const { stderr } = process;
      process.exitCode = await withContainer(config, async container => {
        const { importFile } = await import('./import-file.js');
        const kind = await IMPORTS[name](container);
        return importFile({ database: container.database, kind, name, program, source, stop, report, stderr });
      });
    });
}
