import { Account } from '../../account/account.entity.js';
import type { AccountService } from '../../account/account.service.js';
import type { ProgramRead } from '../../program/program.entity.js';
import type { CommandRequest } from '../../../platform/command/command.js';
import type { ProgramCommands } from '../../../platform/command/program-commands.js';
import type { SqlQuery, StatementSender } from '../../../platform/database/transaction.js';
import { queueOf } from '../../../platform/rate/rate-limited.js';
import { sharerOf, type Caller } from '../../../shared/caller.js';
import { ApprovalRequired, InvalidInput } from '../../../shared/errors.js';
import type { Sources } from '../issue/documents-due.js';
import { newRun } from '../issue/issue-run.js';
import { presentIssuers } from '../issue/issuer-rules.js';
import type { IssuerRecords } from '../issue/issuers.js';
import { isOverSomewhere, periodOf, type IssueKind, type Period } from '../issue/period.js';
import type { OwnRuns, StartTerms } from '../issue/rerun.js';
import { PeriodNotOver, ProgramIncomplete, StatementRunRunning } from '../statement.errors.js';
import { START_STATEMENT_RUN } from '../statement.operations.js';
import { previewOf, type RunStart } from './run-preview.js';
import type { StatementRunOrder } from './statement-run.inputs.js';
import type { StatementRunService } from './statement-run.service.js';
import { KINDS } from './statement-runs.js';

interface Order extends Pick<StatementRunOrder, 'documentType' | 'period'> {
  /** null for all accounts of the program. */
  readonly accountIds: readonly string[] | null;
  readonly issueIncomplete: boolean;
}

interface StartFacts extends StartTerms {
  readonly record: ProgramRead | null;
  /** Those of the named accounts that are of the program. */
  readonly own: ReadonlySet<string>;
}

/** The most previews that wait for the one that runs. A program has at most half of the places. */
const WAITING_PREVIEWS = { most: 20, parts: [1, 1 / 2] };

/** Starts runs that issue the documents of a period to accounts of a program. */
export class StartService {
  // A preview reads as much as ten jobs, so a process makes one at a time.
  private readonly previews = queueOf(WAITING_PREVIEWS);

  constructor(
    private readonly commands: ProgramCommands,
    private readonly accounts: AccountService,
    private readonly issuers: IssuerRecords,
    private readonly ownRuns: OwnRuns,
    private readonly runs: StatementRunService,
    private readonly sources: Omit<Sources, 'issuers'>,
  ) {}

  private readonly starting = this.commands.command<Order, StartFacts, { readonly runId: string }, readonly SqlQuery[]>(
    START_STATEMENT_RUN,
    {
      names: ({ accountIds }) => accountIds ?? [],
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (program, { record, running, now, own }, { input }) => {
        const { issueIncomplete, accountIds } = input;
        const { kind, period } = periodIn(input);
        if (!isOverSomewhere(period, now)) throw new PeriodNotOver();
        mustBeOwn(accountIds ?? [], own);
        const issuers = presentIssuers(kind, [[program, record]]);
        const [incomplete] = issuers.incomplete;
        if (incomplete) throw new ProgramIncomplete(incomplete.missing);
        if (running !== null) throw new StatementRunRunning(running);
        const run = { kind, period: input.period, program, issueIncomplete } as const;
        const { runId, queries } = newRun(this.issuers, { ...run, startedBy: 'OPERATOR' }, issuers, null, accountIds);
        return { result: { runId }, draft: queries };
      },
      write: accepted => accepted.flatMap(({ draft }) => draft),
      event: ({ result: { runId }, input: { documentType, period, accountIds } }) => ({
        object: `statement_run/${runId}`,
        data: { documentType, period, ...(accountIds && { accountCount: accountIds.length }) },
      }),
      approval: {
        needs: ({ documents }) => documents,
        // The run is made when somebody approves it.
        facts: ({ input: { documentType, period, accountIds } }) => ({
          object: null,
          data: { documentType, period, ...(accountIds && { accountCount: accountIds.length }) },
        }),
        changes: ({ input: { documentType, period, accountIds, issueIncomplete } }) => [
          { field: 'documentType', before: null, after: documentType },
          { field: 'period', before: null, after: period },
          ...(issueIncomplete ? [{ field: 'issueIncomplete', before: null, after: 'true' }] : []),
          ...(accountIds ? [{ field: 'accountIds', before: null, after: accountIds.join(', ') }] : []),
        ],
        describe: async ({ caller: { program }, input }) => [
          { field: 'accountCount', before: null, after: String(await this.countAccounts(program, input)) },
        ],
      },
    },
  );

  /**
   * Starts a run, which issues its documents in jobs, and gives it as it begins. A dry run decides alike, behind the
   * lock of the program, and gives in place of the run what it would issue: see `previewOf`, which reads without locks
   * once that is decided. It tells also what waits for an approval. Throws `InvalidInput`, `ProgramIncomplete`,
   * `StatementRunRunning`, and `RateLimited` where too many dry runs wait.
   */
  async start(caller: Caller, order: StatementRunOrder, dryRun = false): Promise<RunStart> {
    const { documentType, period, accountIds = null, issueIncomplete } = order;
    const input = { documentType, period, accountIds, issueIncomplete: issueIncomplete ?? false };
    if (dryRun) return this.preview(caller, input);
    const { runId } = await this.starting(caller, input);
    const run = await this.runs.get(caller, runId);
    return { run, accounts: run.accounts, preview: null };
  }

  private async preview(caller: Caller, input: Order): Promise<RunStart> {
    const waits = await this.starting(caller, input, true).then(
      () => false,
      (error: unknown) => {
        if (error instanceof ApprovalRequired) return true;
        throw error;
      },
    );
    const { program } = caller;
    const { kind, period } = periodIn(input);
    const { database } = this.sources;
    const records = await this.issuers.records(database, [program]);
    const { issuers } = presentIssuers(kind, [[program, records[0] ?? null]]);
    const order = { ...input, program, issuers, period };
    const preview = await this.previews.run(sharerOf(caller), () => previewOf(this.sources, order));
    return { run: null, accounts: await this.countAccounts(program, input), preview: { ...preview, waits } };
  }

  private async countAccounts(program: string, { accountIds }: Order): Promise<number> {
    return accountIds?.length ?? this.sources.database.em().count(Account, { program });
  }

  private async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<Order>[],
  ): Promise<StartFacts[]> {
    const named = requests.flatMap(({ input: { accountIds } }) => accountIds ?? []);
    const [terms, records, accounts] = await Promise.all([
      this.ownRuns.startTerms(
        transaction,
        requests.map(({ caller, input }) => ({
          program: caller.program,
          kind: KINDS[input.documentType],
          period: input.period,
        })),
      ),
      this.issuers.records(
        transaction,
        requests.map(({ caller }) => caller.program),
      ),
      named.length === 0
        ? []
        : this.accounts.repository.each(
            transaction,
            named.map(accountId => [accountId]),
          ),
    ]);
    return requests.map(({ caller }, index) => ({
      ...(terms[index] as StartTerms),
      record: records[index] ?? null,
      own: new Set(accounts.flatMap(one => (one?.program === caller.program ? one.accountId : []))),
    }));
  }
}

/** Throws `InvalidInput` unless the period is a month of statements, or a year of forms. */
function periodIn(order: Pick<Order, 'documentType' | 'period'>): {
  readonly kind: IssueKind;
  readonly period: Period;
} {
  const kind = KINDS[order.documentType];
  const period = periodOf(kind, order.period);
  if (period) return { kind, period };
  const detail = `Must be ${kind === 'close' ? 'a month such as 2026-03' : 'a year such as 2025'}.`;
  throw new InvalidInput('rule_broken', [{ pointer: '/period', code: 'format', detail }]);
}

/** Throws `InvalidInput` for accounts that the program does not have. */
function mustBeOwn(accountIds: readonly string[], own: ReadonlySet<string>): void {
  const problems = accountIds.flatMap((accountId, index) =>
    own.has(accountId)
      ? []
      : [
          {
            pointer: `/accountIds/${index}`,
            code: 'unknown_account' as const,
            detail: 'Does not name an account of this program.',
          },
        ],
  );
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
}
