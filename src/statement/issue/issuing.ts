import { attempt } from '../../platform/database/retry.js';
import { GATEWAY_CLIENT, recording, type NewEvent } from '../../platform/command/recording.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { inTransaction, type Transaction } from '../../platform/database/transaction.js';
import { JobWorker } from '../../platform/jobs/job-worker.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { DocumentThreads } from '../document-threads.js';
import type { KeptDocument } from '../statement.vault.js';
import { ISSUED_COUNTS, type AccountBatch } from './accounts.js';
import { findDocumentsDue, type DueDocument, type DueDocuments, type Sources } from './documents-due.js';
import { ISSUE_TASK, MAX_FAILURES_TOLD, startRun, type IssueJob, type RunOrder } from './issue-run.js';
import { monthBefore, periodOf } from './period.js';

const CLOSE_TASK = 'close_last_month';
/**
 * On the first of a month at 12:30 UTC the month before is over everywhere. A start within three days makes up for it.
 */
const MONTHLY = `30 12 1 * * ${CLOSE_TASK} ?fill=3d&max=5`;
/**
 * Beside those of the jobs: one on which the queue announces jobs, one whose lock shows that we live, one for the
 * queue.
 */
const OWN_CONNECTIONS = 3;
/** After that the job is tried again later. */
const ATTEMPTS = { most: 5, pauseMs: 50 };

export interface IssuingOrder extends Sources {
  readonly log: Logger;
  readonly threads: DocumentThreads;
  /** How many batches of accounts are issued at once. */
  readonly concurrency: number;
  /** Whether each month is closed without a command. */
  readonly monthly: boolean;
}

/** Issues documents in jobs until the function that it gives is called, which finishes the batches that are begun. */
export async function takePartInIssuing(order: IssuingOrder): Promise<() => Promise<void>> {
  const { log, concurrency, monthly } = order;
  const database = await order.database.reopen({
    poolSize: concurrency + OWN_CONNECTIONS,
    entities: [],
    applicationName: 'tillgate-jobs',
    throughOrm: false,
    session: { statement_timeout: '60s' },
  });
  const worker = new JobWorker({
    database,
    concurrency,
    log,
    tasks: {
      [ISSUE_TASK]: payload => issue({ ...order, database }, payload as IssueJob),
      [CLOSE_TASK]: async () => {
        await startRun(database, { kind: 'close', period: monthBefore(new Date()), program: null });
      },
    },
    ...(monthly && { crontab: MONTHLY }),
  });
  return async () => {
    await worker.stop();
    await database.close();
  };
}

const RUN = statementOf('SELECT kind, period, program FROM issue_run WHERE run_id = $1');

// The lock is the one that commands wait for, so an account's events keep their order.
const LOCK = statementOf(
  'SELECT account_id FROM account WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR NO KEY UPDATE',
);

const INSERT = statementOf(
  `INSERT INTO statement (account_id, statement_id, program, document_type, source, statement_date, description,
     corrects_statement_id, through_seq, amount_minor, size_bytes, sha256, sealed_key, pdf, content)
   VALUES ($1, $2, $3, $4, 'PLATFORM', $5::date, ($5::date)::text, $6, $7, $8, $9, $10, $11, $12, $13)`,
);

// A batch that is done again counts no second time.
const COUNT = statementOf(
  `WITH batch AS (INSERT INTO issue_batch (run_id, from_account_id) VALUES ($1, $8) ON CONFLICT DO NOTHING RETURNING 1)
   UPDATE issue_run SET done = done + $2, issued = issued + $3, corrected = corrected + $4, early = early + $5,
     failed = failed + $6, failures =
       CASE WHEN jsonb_array_length(failures) < ${MAX_FAILURES_TOLD} THEN failures || $7::jsonb ELSE failures END
   WHERE run_id = $1 AND EXISTS (SELECT FROM batch)`,
);

/** Another process issued documents to one of the accounts meanwhile, so the due documents have to be found again. */
class DocumentsChanged extends Error {
  override readonly name = 'DocumentsChanged';
}

const isOutdated = (error: unknown): boolean => error instanceof DocumentsChanged;

type Made = DueDocument & { readonly kept: KeptDocument };

async function issue(order: IssuingOrder, job: IssueJob): Promise<void> {
  const [run] = await order.database.query<[RunOrder['kind'], string, string | null]>(RUN, [job.runId]);
  if (!run) return;
  const [kind, text, program] = run;
  const period = periodOf(kind, text);
  if (!period) throw new Error('an issue run has no period');
  const documentType = kind === 'close' ? 'STATEMENTS' : 'TAX_1099';
  const batch: AccountBatch = { ...job, program, documentType, period };
  // Other months of the same accounts may be issued at the same time, by this process or another.
  await attempt(ATTEMPTS, isOutdated, () => issueBatch(order, kind, batch));
}

/**
 * One transaction with its events and its numbers: done whole, or not at all. Done twice, it finds nothing left to do.
 */
async function issueBatch({ threads, ...sources }: IssuingOrder, kind: string, batch: AccountBatch): Promise<void> {
  const due = await findDocumentsDue(sources, batch);
  const making = due.documents.map(async document => {
    const { account, content } = document;
    const pdf = await threads.render(content);
    const kept = sources.vault.keep(account.accountId, content.statementId, pdf, JSON.stringify(content));
    return { ...document, kept };
  });
  const made = await Promise.all(making);
  await inTransaction(sources.database, async transaction => {
    if (made.length > 0) await write(transaction, kind, batch, made);
    await count(transaction, batch, due);
  });
}

async function write(
  transaction: Transaction,
  kind: string,
  { runId, documentType, period: { end } }: AccountBatch,
  made: readonly Made[],
): Promise<void> {
  const accountIds = made.map(({ account }) => account.accountId);
  await transaction.query(LOCK, [accountIds]);
  const counts = await transaction.query<[number]>(ISSUED_COUNTS, [accountIds, documentType]);
  if (counts.some(([now], index) => now !== made[index]?.account.issuedCount)) throw new DocumentsChanged();
  for (const { account, content, correctsStatementId: corrects, throughSeq, amountMinor, kept } of made) {
    const key = [account.accountId, content.statementId, account.program, documentType, end, corrects];
    const { sizeBytes, sha256, sealedKey, pdf, content: sealedContent } = kept;
    const values = [throughSeq, amountMinor, sizeBytes, sha256, sealedKey, pdf, sealedContent];
    await transaction.query(INSERT, [...key, ...values]);
  }
  const events = made.map(({ account: { program, accountId }, content, correctsStatementId: corrects }): NewEvent => ({
    by: { program, clientId: GATEWAY_CLIENT, subject: kind, requestId: runId },
    action: 'statement.issue',
    accountId,
    object: `statement/${content.statementId}`,
    data: { documentType, statementDate: end, ...(corrects !== null && { corrects }) },
  }));
  await transaction.run(recording(events));
}

async function count(transaction: Transaction, { runId, from }: AccountBatch, due: DueDocuments): Promise<void> {
  const { accounts, early, documents, failures } = due;
  const corrected = documents.filter(({ correctsStatementId }) => correctsStatementId !== null).length;
  const counts = [accounts, documents.length - corrected, corrected, early, failures.length];
  await transaction.query(COUNT, [runId, ...counts, JSON.stringify(failures), from]);
}
