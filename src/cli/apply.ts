import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { EndpointStep, Plan, PlannedStep } from '../app/apply/plan.js';
import type { ChangedValue } from '../bank/program/program.record.js';
import { ApprovalRequired } from '../shared/errors.js';
import type { Json } from '../shared/json.js';
import { UsageError } from '../shared/usage-error.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

interface Options {
  readonly check?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The outcome for a webhook endpoint. */
interface AppliedEndpoint {
  readonly program: string;
  readonly host: string | null;
  readonly outcome: PlannedStep['outcome'] | 'waiting';
  readonly changed: readonly ChangedValue[];
  readonly endpointId: string | null;
  readonly approvalId: string | null;
}

export function apply(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'FOLDER has files of YAML or JSON in the form of tillgate programs set, with the webhook endpoints of a program in webhookEndpoints beside its fields. docs/programs.md describes them.',
      'It prints what differs from what is on record, with the values before and after, and makes it so: programs in one transaction, then each endpoint, with the events of a request. What the files leave out stays as it is, and the same folder again changes nothing. Endpoints wait for an approval where the program says so.',
      'The secret of a new endpoint is not printed: rotate it over the API to get one.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      applied: true,
      programs: [
        {
          program: 'demo',
          outcome: 'changed',
          changed: [{ field: 'approvals.changingOwners', before: null, after: true, isHidden: false }],
        },
      ],
      webhookEndpoints: [
        {
          program: 'demo',
          host: 'hooks.bank.example',
          outcome: 'new',
          changed: [],
          endpointId: '6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44',
          approvalId: null,
        },
      ],
    },
    examples: {
      'tillgate apply bank --check': 'Says what would change, and changes nothing.',
      'tillgate apply bank --yes': 'Changes it without asking.',
    },
    status: {
      0: 'everything is as the folder says, or waits for an approval',
      1: 'the database failed',
      2: WRONG_USAGE,
    },
  });
  command
    .description('Make programs, with their clients, rules and webhook endpoints, what a folder of files says.')
    .argument('<folder>', 'the folder')
    .option('--check', 'print what would change, and change nothing')
    .option('--yes', 'change it without asking')
    .addOption(jsonOption())
    .action(async (folder: string, options: Options) => {
      const { config, report } = startCommand(process, options);
      const { readFolder } = await import('../app/apply/folder.js');
      const { planOf } = await import('../app/apply/plan.js');
      const { writePrograms } = await import('../app/apply/write-programs.js');
      const declared = await readFolder(folder);
      if (!options.check && !options.yes && !process.stdin.isTTY) {
        throw new UsageError(
          'Nobody can be asked. Add --yes to apply the folder, or --check to see what would change.',
        );
      }
      await withContainer(process, config, async container => {
        const plan = await planOf(container, declared);
        for (const line of linesOf(plan)) report.line(line);
        const isApplied = isToDo(plan) && !options.check && (options.yes === true || (await isConfirmed(process)));
        if (isApplied) await writePrograms(container, declared.programs);
        const webhookEndpoints: AppliedEndpoint[] = [];
        for (const step of plan.endpoints) webhookEndpoints.push(isApplied ? await taken(step) : plainOf(step));
        const waiting = webhookEndpoints.filter(({ outcome }) => outcome === 'waiting');
        for (const { program, host, approvalId } of waiting) {
          report.line(`${program}, webhook endpoint at ${host}: waits for another person, as approval ${approvalId}`);
        }
        report.line(
          isApplied ? 'Applied.' : isToDo(plan) ? 'Nothing was changed.' : 'Everything is as the folder says.',
        );
        const programs = plan.programs.map(({ program, outcome, changed }) => ({
          program,
          outcome,
          changed: changed.map(one => ({ ...one })),
        }));
        report.result({
          applied: isApplied,
          programs,
          webhookEndpoints: webhookEndpoints.map(one => ({
            ...one,
            changed: one.changed.map(value => ({ ...value })),
          })),
        });
        return 0;
      });
    });
}

function isToDo({ programs, endpoints }: Plan): boolean {
  return [...programs, ...endpoints].some(({ outcome }) => outcome === 'new' || outcome === 'changed');
}

function linesOf({ programs, endpoints }: Plan): string[] {
  return [...programs, ...endpoints].flatMap(({ program, host, outcome, changed }) => {
    const what = host === null ? program : `${program}, webhook endpoint at ${host}`;
    return [`${what}: ${OUTCOMES[outcome]}`, ...changed.map(one => `  ${lineOf(one)}`)];
  });
}

/** `approvals.reversalsAbove: "1000.00" -> "500.00"`, with values as JSON has them. */
function lineOf({ field, before, after, isHidden }: ChangedValue): string {
  if (isHidden) return `${field}: changes, and is not shown`;
  const shown = (value: Json): string => (value === null ? 'none' : JSON.stringify(value));
  return `${field}: ${shown(before)} -> ${shown(after)}`;
}

const OUTCOMES: Readonly<Record<PlannedStep['outcome'], string>> = {
  new: 'is new',
  changed: 'changes',
  unchanged: 'is as the folder says',
  kept: 'is not in the folder, and stays as it is',
};

async function isConfirmed({ stdin, stderr }: CommandProcess): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return (await terminal.question('Apply these changes? Only yes applies them: ')) === 'yes';
  } finally {
    terminal.close();
  }
}

async function taken(step: EndpointStep): Promise<AppliedEndpoint> {
  try {
    const endpoint = await step.take(false);
    return { ...plainOf(step), endpointId: endpoint?.endpointId ?? null };
  } catch (error) {
    if (!(error instanceof ApprovalRequired)) throw error;
    return { ...plainOf(step), outcome: 'waiting', approvalId: error.approval.approvalId };
  }
}

function plainOf({ program, host, outcome, changed }: PlannedStep): AppliedEndpoint {
  return { program, host, outcome, changed, endpointId: null, approvalId: null };
}
