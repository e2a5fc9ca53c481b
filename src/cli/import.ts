import type { WriteStream } from 'node:tty';
import { Argument, type Command } from 'commander';
import type { Container } from '../app/container.js';
import { IMPORTS, type ImportName } from '../app/imports.js';
import { WRONG_USAGE, explain } from './explain.js';
import type { Report } from '../platform/report/report.js';
import { statusOf } from '../platform/report/stop-signal.js';
import { showProgress } from '../platform/report/progress.js';
import { openSource, type Source } from '../platform/import/source.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';

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
    .action(async (name: ImportName, file: string, options: { program: string; json?: boolean }) => {
      const { config, ...run } = startCommand(options);
      const source = await openSource(file, process.stdin, run.stop);
      const { program } = options;
      await withContainer(config, container => importFile({ container, name, program, source, ...run }));
    });
}

interface ImportOrder {
  readonly container: Container;
  readonly name: ImportName;
  readonly program: string;
  readonly source: Source;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/** Imports, shows how far it is, and says how it ended. Gives the exit status: 1 where something was rejected. */
async function importFile(order: ImportOrder): Promise<number> {
  const { container, name, program, source, stop, report, stderr } = order;
  const { ImportTally, RejectedLines, importLines } = await import('../platform/import/import-lines.js');
  const kind = await IMPORTS[name](container);
  const rejected = await RejectedLines.prepare(source.rejectedPath, source.rejectedFallback);
  const tally = new ImportTally();
  const hideProgress = showProgress(name, tally, source, stderr);
  let finished = false;
  try {
    await importLines({ database: container.database, kind, program, source, stop, rejected, tally });
    finished = !stop.aborted;
  } finally {
    hideProgress();
    await rejected.close();
    report.line(`${name}: ${tally.summary()}`);
    if (rejected.path !== null) report.line(`Rejected lines and the reasons: ${rejected.path}`);
    const { counts, lastLine, seconds } = tally;
    report.result({ kind: name, program, ...counts, lastLine, rejectedFile: rejected.path, finished, seconds });
    if (!finished) {
      stderr.write(`The import was stopped after line ${tally.lastLine}. Run the same command again to finish.\n`);
    }
  }
  if (!finished) return statusOf(stop.reason);
  return tally.counts.rejected > 0 ? 1 : 0;
}
