import type { Database } from '../../../platform/database/orm.js';
import type { Report } from '../../../platform/report/report.js';
import type { Json } from '../../../shared/json.js';
import { UUID_TEXT } from '../../../shared/ids.js';
import { UsageError } from '../../../shared/usage-error.js';
import { leftOutOf } from '../issue/issue-run.js';
import { reasonsOf, type AccountLeftOut } from '../issue/left-out.js';
import { StatementRuns, type RunView } from './statement-runs.js';

const PAGE_SIZE = 1000;
const STARTERS = { GATEWAY: 'the gateway', OPERATOR: 'an operator', COMMAND_LINE: 'the command line' } as const;

export interface ListRunsOrder {
  readonly database: Database;
  /** null for all programs. */
  readonly program: string | null;
  readonly report: Report;
}

/** Every run, by period and start, the newest first. Gives the exit status. */
export async function listRuns({ database, program, report }: ListRunsOrder): Promise<number> {
  const runs = new StatementRuns(database);
  const listed: Json[] = [];
  for (let after: RunView | null = null; ;) {
    const page = await runs.page({ program }, { after, skip: 0, limit: PAGE_SIZE });
    for (const run of page) report.line(lineOf(run));
    listed.push(...page.map(run => ({ ...run })));
    after = page.at(-1) ?? null;
    if (page.length < PAGE_SIZE) break;
  }
  report.result({ runs: listed });
  return 0;
}

/** One run, with every account that got no document. Throws `UsageError` if there is none. */
export async function showRun({ database, program, report }: ListRunsOrder, runId: string): Promise<number> {
  const page = { skip: 0, limit: 1 };
  const [run] = UUID_TEXT.test(runId) ? await new StatementRuns(database).page({ program, runId }, page) : [];
  if (!run) throw new UsageError('RUN_ID names no run. List the runs: tillgate statements runs');
  report.line(lineOf(run));
  const leftOut: Json[] = [];
  for (let after: AccountLeftOut | null = null; ;) {
    const accounts = await leftOutOf(database, runId, program, after, PAGE_SIZE);
    for (const account of accounts) report.line(`account ${account.accountId}: ${reasonsOf(account)}`);
    leftOut.push(...accounts.map(account => ({ ...account, reasons: [...account.reasons] })));
    after = accounts.at(-1) ?? null;
    if (accounts.length < PAGE_SIZE) break;
  }
  report.result({ run: { ...run }, leftOut });
  return 0;
}

function lineOf(run: RunView & { readonly program: string | null }): string {
  const { runId, documentType, period, program, startedAt, startedBy, status, rerunOf, issueIncomplete } = run;
  const { accounts, done, issued, corrected, notOverYet, notDueCount, leftOutCount } = run;
  const isForms = documentType === 'TAX_1099';
  const facts = [
    `${isForms ? 'forms' : 'statements'} of ${period}, ${program ?? 'all programs'}`,
    `started ${startedAt}${startedBy ? ` by ${STARTERS[startedBy]}` : ''}`,
    status === 'RUNNING' ? `${done} of ${accounts} accounts done` : status.toLowerCase().replace('_', ' '),
    `${issued} issued${isForms ? `, ${corrected} corrected` : ''}, ${notOverYet} not over yet, ${notDueCount} due none, ${leftOutCount} left out`,
    ...(issueIncomplete ? ['incomplete forms issued'] : []),
    ...(rerunOf ? [`again those without a document in ${rerunOf}`] : []),
  ];
  return `${runId}: ${facts.join('; ')}`;
}
