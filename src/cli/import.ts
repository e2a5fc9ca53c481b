import type { WriteStream } from 'node:tty';
import { Argument, type Command } from 'commander';
import type { Container } from '../app/container.js';
import { commandLine, recordClassOf } from '../app/imports.js';
import { IMPORT_NAMES, type ImportName } from '../bank/import/import.names.js';
import { WRONG_USAGE, explain } from './explain.js';
import { UnusableSource, type RecordFormat } from '../platform/import/batch.js';
import { Report } from '../platform/report/report.js';
import { statusOf } from '../platform/report/stop-signal.js';
import { showProgress } from '../platform/report/progress.js';
import { UsageError } from '../shared/usage-error.js';
import { openSource, type Source } from '../platform/import/source.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

export function importRecords(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Records of programs have the fields of tillgate programs set, with programId. Import customers before their accounts, and accounts before their beneficiaries and transactions. Wrong lines are written with their reasons to FILE.rejected.ndjson, and the other lines are imported.',
      'The import can be stopped and started again at any time: records that are already in the database count as unchanged.',
      'A file of CSV needs --map: a file of YAML or JSON that says which column has which field, and how dates and amounts are written. --template prints one with all fields, and the header that it fits; docs/imports.md explains it.',
      'A check reports the same, also what depends on earlier lines of the file, and keeps nothing. It is one transaction of at most 1,000,000 lines: what it locks, such as the accounts of transactions, is locked until it is over, and other changes of them wait or are refused meanwhile.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      kind: 'customers',
      program: 'demo',
      dryRun: false,
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
      'tillgate import transactions ledger.ndjson --program demo --check':
        'Says what would become of the lines, and keeps nothing.',
      'tillgate import customers --template': 'Prints a map of the columns of a CSV file, to be edited.',
    },
    status: {
      0: 'every line is in the database, or would be after a check',
      1: 'lines were rejected, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again to finish',
    },
  });
  command
    .description(
      "Import the bank's own records: JSON objects, one a line, or CSV. The same file again changes nothing.",
    )
    .addArgument(new Argument('<kind>', 'what the records are').choices(IMPORT_NAMES))
    .argument('[file]', 'a file, plain or gzip, or - for standard input')
    .addOption(programOption('the tenant to whom the records belong; records of programs name their own'))
    .option('--map <map>', 'the file is CSV, and this file of YAML or JSON says what its columns are')
    .option('--template', 'print a map of all fields, and the header that it fits; imports nothing')
    .option('--check', 'check and report the same, and keep nothing')
    .addOption(jsonOption())
    .action(async (name: ImportName, file: string | undefined, options: ImportOptions) => {
      if (options.template) return printTemplate(process, name, options);
      if (file === undefined) throw new UsageError('The argument <file> is missing.\nSee: tillgate import --help');
      if (name !== 'programs' && options.program === undefined) {
        throw new UsageError('The option --program <program> is missing.\nSee: tillgate import --help');
      }
      const { config, ...run } = startCommand(process, options);
      const source = await openSource(file, process.stdin, run.stop);
      try {
        const csv = await csvFormat(name, file, options);
        const { program = null, check: dryRun = false } = options;
        await withContainer(process, config, container =>
          importFile({ container, name, program, source, csv, dryRun, ...run }),
        );
      } finally {
        source.close();
      }
    });
}

async function printTemplate(
  process: CommandProcess,
  name: ImportName,
  { json = false }: ImportOptions,
): Promise<void> {
  const { templateOf } = await import('../platform/import/csv/template.js');
  const { map, header } = templateOf(await recordClassOf(name), name);
  const report = new Report(process.stdout, json);
  report.line(map.trimEnd());
  report.result({ kind: name, map, header });
}

/** Reads the map of a file of CSV; null for JSON. Throws `UsageError`. */
async function csvFormat(name: ImportName, file: string, options: ImportOptions): Promise<RecordFormat | null> {
  const { map, program = null } = options;
  if (map === undefined) {
    if (!/\.csv(\.gz)?$/i.test(file)) return null;
    throw new UsageError(
      `${file} is CSV, and needs a map of its columns: tillgate import ${name} --template > map.yaml writes one. Edit it, and add --map map.yaml.`,
    );
  }
  const { readColumnMap } = await import('../platform/import/csv/map-file.js');
  const { csvTable } = await import('../platform/import/csv/csv-table.js');
  return csvTable(await recordClassOf(name), await readColumnMap(map), { program, firstLine: 1 });
}

interface ImportOptions {
  readonly program?: string;
  readonly map?: string;
  readonly template?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

interface ImportOrder {
  readonly container: Container;
  readonly name: ImportName;
  readonly program: string | null;
  readonly source: Source;
  /** Null where the source is lines of JSON. */
  readonly csv: RecordFormat | null;
  readonly dryRun: boolean;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/** Imports, shows how far it is, and says how it ended. Gives the exit status: 1 where something was rejected. */
async function importFile(order: ImportOrder): Promise<number> {
  const { container, name, program, source, csv, dryRun, stop, report, stderr } = order;
  const { ImportTally, RejectedLines, importLines } = await import('../platform/import/import-lines.js');
  const { jsonLines } = await import('../platform/import/json-lines.js');
  const kind = await container.importKind(name);
  const format = csv ?? jsonLines(kind);
  const by = commandLine(program, name === 'programs' ? 'programs' : 'import');
  const rejected = await RejectedLines.prepare(source.rejectedPath, source.rejectedFallback);
  const tally = new ImportTally(source.sizeBytes);
  const hideProgress = showProgress(name, tally, tally, stderr);
  let finished = false;
  let isWorthAnother = true;
  try {
    await importLines({ database: container.database, kind, format, by, source, stop, rejected, tally, dryRun });
    finished = !stop.aborted;
  } catch (error) {
    isWorthAnother = !(error instanceof UsageError || error instanceof UnusableSource);
    throw error;
  } finally {
    hideProgress();
    await rejected.close();
    report.line(`${name}: ${tally.summary()}`);
    if (dryRun) report.line('This was a check: nothing was kept.');
    if (rejected.path !== null) report.line(`Rejected lines and the reasons: ${rejected.path}`);
    const { counts, lastLine, seconds } = tally;
    report.result({
      kind: name,
      program,
      dryRun,
      ...counts,
      lastLine,
      rejectedFile: rejected.path,
      finished,
      seconds,
    });
    if (!finished) {
      const what = dryRun ? 'check' : 'import';
      const advice = isWorthAnother ? ' Run the same command again to finish.' : '';
      stderr.write(`The ${what} was stopped after line ${tally.lastLine}.${advice}\n`);
    }
  }
  if (!finished) return statusOf(stop.reason);
  return tally.counts.rejected > 0 ? 1 : 0;
}
