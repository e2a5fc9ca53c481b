import { randomUUID } from 'node:crypto';
import { apart } from '../../../platform/database/keyed.js';
import type { Database } from '../../../platform/database/orm.js';
import { inTransaction, type SqlQuery, type SqlTransaction } from '../../../platform/database/transaction.js';
import { IssueLeftOut, IssueRun, IssueRunIssuer, type IssueCounts } from './issue-run.entity.js';
import { ProgramsIncomplete, type IncompleteProgram, type PresentIssuers, type RunIssuers } from './issuer-rules.js';
import type { IssuerRecords } from './issuers.js';
import type { AccountLeftOut } from './left-out.js';
import type { IssueKind } from './period.js';
import { jobsOf, type RunJobs } from './run-jobs.js';

/** Jobs of releases that kept no issuers have another name, so that those releases take none of these. */
export const ISSUE_TASK = 'issue_batch';
/** The number of accounts without a document that are told at the end of a command. All of them are kept. */
export const MAX_LEFT_OUT_TOLD = 100;
/** A job takes some tenths of a second, which is the most that is lost when a process dies. */
const ACCOUNTS_A_JOB = 100;
const MAX_ATTEMPTS = 5;

/** The payload of a job: the accounts from one id to another. */
export interface IssueJob {
  readonly runId: string;
  readonly from: string;
  readonly to: string;
}

export type RunOrder = Readonly<Pick<IssueRun, 'period' | 'program' | 'startedBy'>> & {
  readonly kind: IssueKind;
  readonly issueIncomplete: boolean;
};

export type RunProgress = Readonly<IssueCounts> & RunJobs & { readonly isStopped: boolean };

/** A few runs of a period may be unfinished; older ones are not continued. */
const MAX_UNFINISHED = 20;

// A run is divided among jobs where its accounts are, by statements for all of them.
/** The way in which statements that write what is known of runs read accounts, which may be on other servers. */
interface AccountSource {
  readonly all: string;
  /** Joins the accounts of a batch `b` as `a`. */
  readonly ofBatch: string;
}
const HERE: AccountSource = {
  all: 'SELECT account_id, program FROM account WHERE program = ANY($2::text[])',
  ofBatch: 'JOIN account a ON a.account_id BETWEEN b.from_account_id AND b.to_account_id',
};
const ELSEWHERE: AccountSource = {
  all: 'SELECT account_id, program FROM accounts_of($2::text[]) o WHERE true',
  ofBatch: 'CROSS JOIN LATERAL accounts_between(b.from_account_id, b.to_account_id) a(account_id)',
};
const readingAccounts = (textOf: (accounts: AccountSource) => string) => apart(textOf(HERE), textOf(ELSEWHERE));

// The accounts without a document yet: those that were left out, and those of batches that were given up.
const withoutDocument = ({ all, ofBatch }: AccountSource): string => `${all} AND account_id IN (
    SELECT l.account_id FROM issue_left_out l WHERE l.run_id = $3
    UNION ALL SELECT unnest(b.account_ids) FROM issue_batch b WHERE b.run_id = $3 AND b.done_at IS NULL
    UNION ALL SELECT a.account_id FROM issue_batch b
      ${ofBatch}
      WHERE b.run_id = $3 AND b.done_at IS NULL AND b.account_ids IS NULL)`;

/** Divides accounts among jobs. A run without accounts is finished at once. */
const enqueuing = (accountsOf: (accounts: AccountSource) => string, areNamed: boolean) =>
  readingAccounts(
    accounts => `WITH numbered AS (SELECT account_id, program, (row_number() OVER (ORDER BY account_id) - 1) / ${ACCOUNTS_A_JOB} AS batch
       FROM (${accountsOf(accounts)}) accounts),
     batches AS (SELECT batch, min(account_id) AS first, max(account_id) AS last, array_agg(account_id) AS account_ids
       FROM numbered GROUP BY batch),
     kept AS (INSERT INTO issue_batch (run_id, from_account_id, to_account_id, account_ids)
       SELECT $1::uuid, first, last, ${areNamed ? 'account_ids' : 'NULL'} FROM batches),
     shares AS (INSERT INTO issue_run_program (run_id, program, accounts)
       SELECT $1::uuid, program, count(*) FROM numbered GROUP BY program),
     jobs AS (SELECT graphile_worker.add_jobs(coalesce(array_agg((
         '${ISSUE_TASK}', json_build_object('runId', $1::text, 'from', first, 'to', last),
         null, null, ${MAX_ATTEMPTS}, $1 || ':' || batch, null, null
       )::graphile_worker.job_spec), '{}')) FROM batches),
     counted AS (SELECT count(*)::int AS accounts FROM numbered)
     UPDATE issue_run SET accounts = counted.accounts, finished_at = CASE WHEN counted.accounts = 0 THEN now() END
     FROM counted, (SELECT count(*) FROM jobs) added WHERE run_id = $1::uuid`,
  );
const ENQUEUE = enqueuing(({ all }) => all, false);
const ENQUEUE_NAMED = enqueuing(({ all }) => `${all} AND account_id = ANY($3::text[])`, true);
const ENQUEUE_AGAIN = enqueuing(withoutDocument, true);

// A program that cannot issue is left out whole, so that a rerun takes it up once it is complete.
const LEAVE_OUT_PROGRAMS = readingAccounts(
  ({ all }) => `WITH left_out AS (INSERT INTO issue_left_out (run_id, program, account_id, reasons)
     SELECT $1::uuid, program, account_id, '{program_incomplete}' FROM (${all}) accounts
     RETURNING program),
   shares AS (INSERT INTO issue_run_program (run_id, program, accounts, done, left_out)
     SELECT $1::uuid, program, count(*), count(*), count(*) FROM left_out GROUP BY program),
   counted AS (SELECT count(*)::int AS accounts FROM left_out)
   UPDATE issue_run r SET accounts = r.accounts + counted.accounts, done = r.done + counted.accounts,
     left_out = r.left_out + counted.accounts FROM counted WHERE r.run_id = $1::uuid`,
);

/** Where runs are kept. */
export interface Runs {
  readonly database: Database;
  readonly issuers: IssuerRecords;
}

/**
 * Divides the accounts among jobs, or finds the run that is not finished; or takes up the accounts of another run that
 * have no document, and no others. Gives the run's id. Throws `ProgramsIncomplete`.
 */
export function startRun({ database, issuers }: Runs, order: RunOrder, rerunOf: string | null = null): Promise<string> {
  return inTransaction(database, async transaction => {
    const programRecords = await issuers.present(transaction, order);
    if (programRecords.incomplete.length > 0) throw new ProgramsIncomplete(programRecords.incomplete);
    const running = rerunOf === null ? await unfinished(database, transaction, order, programRecords.issuers) : null;
    return running ?? begin(transaction, newRun(issuers, order, programRecords, rerunOf));
  });
}

/** Starts a run of the programs that lack nothing, or finds it. Leaves out the other programs, and gives them. */
export function startCompleteRun({ database, issuers }: Runs, order: RunOrder): Promise<readonly IncompleteProgram[]> {
  return inTransaction(database, async transaction => {
    const programRecords = await issuers.present(transaction, order);
    if ((await unfinished(database, transaction, order, programRecords.issuers)) === null) {
      await begin(transaction, newRun(issuers, order, programRecords));
    }
    return programRecords.incomplete;
  });
}

/** Writes a run in a transaction, even if others run already. It begins when the transaction is committed. */
export async function enqueueRun(
  transaction: SqlTransaction,
  issuers: IssuerRecords,
  order: RunOrder,
): Promise<string> {
  return begin(transaction, newRun(issuers, order, await issuers.present(transaction, order)));
}

/** A run that is going to begin: its id, and the statements that start it. */
export interface NewRun {
  readonly runId: string;
  readonly queries: readonly SqlQuery[];
}

/**
 * A run of the programs that lack nothing: of all their accounts, of those without a document in another run, or of the
 * named ones.
 */
export function newRun(
  issuers: IssuerRecords,
  { kind, period, program, startedBy, issueIncomplete }: RunOrder,
  programRecords: PresentIssuers,
  rerunOf: string | null = null,
  accountIds: readonly string[] | null = null,
): NewRun {
  const runId = randomUUID();
  const names = [...programRecords.issuers.keys()];
  const incomplete = programRecords.incomplete.map(one => one.program);
  const queries = [
    ...issuers.keeping(
      { runId, kind, period, program, startedBy, issueIncomplete, rerunOf, accounts: 0 },
      programRecords.issuers,
    ),
    rerunOf !== null
      ? { statement: ENQUEUE_AGAIN, values: [runId, names, rerunOf] }
      : accountIds !== null
        ? { statement: ENQUEUE_NAMED, values: [runId, names, accountIds] }
        : { statement: ENQUEUE, values: [runId, names] },
    ...(incomplete.length > 0 ? [{ statement: LEAVE_OUT_PROGRAMS, values: [runId, incomplete] }] : []),
  ];
  return { runId, queries };
}

async function begin(transaction: SqlTransaction, { runId, queries }: NewRun): Promise<string> {
  await transaction.runAll(queries);
  return runId;
}

/** A run that has jobs left is continued, whichever process started it, unless it leaves out one of the programs. */
async function unfinished(
  database: Database,
  transaction: SqlTransaction,
  { kind, period, program, issueIncomplete }: RunOrder,
  programs: RunIssuers,
): Promise<string | null> {
  const em = database.em(transaction);
  const runs = await em.find(
    IssueRun,
    { kind, period, program, issueIncomplete, rerunOf: null, finishedAt: null, stoppedAt: null },
    { orderBy: { startedAt: 'desc' }, limit: MAX_UNFINISHED },
  );
  const jobs = await jobsOf(
    transaction,
    runs.map(({ runId }) => runId),
  );
  for (const [index, { runId }] of runs.entries()) {
    if (!jobs[index]?.open) continue;
    const count = await em.count(IssueRunIssuer, { runId, program: { $in: [...programs.keys()] } });
    if (count === programs.size) return runId;
  }
  return null;
}

export async function progressOf(database: Database, runId: string): Promise<RunProgress> {
  const [jobs] = await jobsOf(database, [runId]);
  const run = await database.primary().findOne(IssueRun, { runId });
  if (!run) throw new Error('an issue run vanished while it was being watched');
  const { accounts, done, issued, corrected, early, leftOut, unprintable } = run;
  const isStopped = run.stoppedAt !== null;
  return { accounts, done, issued, corrected, early, leftOut, unprintable, isStopped, ...(jobs as RunJobs) };
}

/** A page of the accounts of a run that got no document, by program and account, after one of them. */
export async function leftOutOf(
  database: Database,
  runId: string,
  program: string | null,
  after: Pick<AccountLeftOut, 'program' | 'accountId'> | null,
  limit: number,
): Promise<AccountLeftOut[]> {
  return database.primary().find(
    IssueLeftOut,
    { runId, ...(program !== null && { program }) },
    {
      orderBy: { program: 'asc', accountId: 'asc' },
      first: limit,
      ...(after && { after: { program: after.program, accountId: after.accountId } }),
    },
  );
}
