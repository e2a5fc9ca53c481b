import { Argument, type Command } from 'commander';
import type { Plain } from '../shared/json.js';
import { UsageError } from '../shared/usage-error.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

interface Options {
  readonly json?: boolean;
}

export function programsSet(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'FILE is an object of JSON or YAML with a record for each program, by the id that access tokens name. Programs that it does not name stay as they are. docs/programs.md describes the records.',
      'All records are written, or none if one of them is wrong. Documents that are issued stay as they are, and a run that has begun issues under the names with which it began.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { new: ['demo'], updated: [], unchanged: ['acme'] },
    examples: {
      'tillgate programs set programs.json': 'Sets the programs of a file, and says which of them changed.',
    },
    status: { 0: 'the programs are as the file says', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Set under which names, addresses and tax ids programs issue documents.')
    .addArgument(new Argument('<file>', 'a file of JSON or YAML'))
    .addOption(jsonOption())
    .action(async (file: string, options: Options) => {
      const { config, report } = startCommand(process, options);
      const { readPrograms } = await import('../bank/program/program.file.js');
      const { writePrograms } = await import('../app/apply/write-programs.js');
      const records = await readPrograms(file);
      await withContainer(process, config, async container => {
        const outcomes = await writePrograms(container, records);
        const idsOf = (outcome: string): string[] =>
          records.flatMap(({ programId }, index) => (outcomes[index] === outcome ? programId : []));
        const result = { new: idsOf('new'), updated: idsOf('updated'), unchanged: idsOf('unchanged') };
        const counts = Object.entries(result).map(([name, ids]) => `${ids.length} ${name}`);
        report.line(`programs: ${counts.join(', ')}`);
        report.result(result);
        return 0;
      });
    });
}

export function programsShow(command: Command, process: CommandProcess): void {
  explain(command, {
    about: ['Tax ids are masked except for the last four characters.'],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      programs: [
        {
          programId: 'demo',
          name: 'Harborlight',
          letterhead: { name: 'Harborlight Bank', addressLines: ['1 Quay Street'], telephone: null },
          payer: null,
          errorResolution: null,
          logo: null,
          approvals: null,
          transfers: null,
          clients: ['demo'],
          checkFunds: false,
          exactSearch: false,
          statementsWithoutActivity: 'WITH_BALANCE',
          operatorGroups: [],
          retentionYears: null,
          version: 3,
          createdAt: '2026-03-31T18:05:00.000Z',
          updatedAt: '2026-03-31T18:05:00.000Z',
          missing: { close: [], 1099: ['payer.taxId'] },
        },
      ],
    },
    examples: {
      'tillgate programs show': 'Shows all programs, and what they lack to issue documents.',
      'tillgate programs show --program demo --json': 'Shows one program as JSON, with its logo.',
    },
    status: { 0: 'shown', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Show under which names, addresses and tax ids programs issue documents. Changes nothing.')
    .addOption(programOption('only this tenant'))
    .addOption(jsonOption())
    .action(async (options: Options & { readonly program?: string }) => {
      const { config, report } = startCommand(process, options);
      const { shown } = await import('../bank/program/program.entity.js');
      const { missingIn } = await import('../bank/statement/issue/issuer-rules.js');
      const { linesOf } = await import('./program-lines.js');
      await withContainer(process, config, async ({ programs: { repository } }) => {
        const found = await repository.all(options.program ?? null);
        if (options.program !== undefined && found.length === 0) {
          throw new UsageError('The program in --program has no record. Make one with tillgate programs set FILE.');
        }
        const programs = found.map(program => {
          const missing = { close: missingIn('close', program), 1099: missingIn('1099', program) };
          return { ...shown(program), missing };
        });
        for (const program of programs) for (const line of linesOf(program)) report.line(line);
        if (programs.length === 0) report.line('No program has a record. Make one with tillgate programs set FILE.');
        const plain: Plain<typeof programs> = programs;
        report.result({ programs: plain });
        return 0;
      });
    });
}
