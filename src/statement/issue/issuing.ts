import { attempt } from '../../platform/database/retry.js';
import { GATEWAY_CLIENT, recording, type NewEvent } from '../../platform/command/recording.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { inTransaction, type Transaction } from '../../platform/database/transaction.js';
import { JobWorker } from '../../platform/jobs/job-worker.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { DocumentThreads } from '../document-threads.js';
import type { KeptDocument } from '../statement.vault.js';
import { ISSUED_COUNTS, type AccountBatch } from './accounts.js';
import { findDocumentsDue, type DueDocument, type Sources } from './documents-due.js';
import { countBatch } from './issue-counts.js';
import { ISSUE_TASK, startCompleteRun, type IssueJob, type Runs } from './issue-run.js';
import { monthBefore, periodOf, type IssueKind } from './period.js';

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

export interface IssuingOrder extends Omit<Sources, 'issuers'>, Runs {
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
  const database = await order.database.reopenDirect({
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
      [CLOSE_TASK]: () => closeLastMonth({ ...order, database }),
    },
    ...(monthly && { crontab: MONTHLY }),
  });
  return async () => {
    await worker.stop();
    await database.close();
  };
}

/** A program that cannot issue statements must not keep the others from it. */
async function closeLastMonth(order: IssuingOrder): Promise<void> {
  const period = monthBefore(new Date());
  const close = { kind: 'close', period, program: null, issueIncomplete: false, startedBy: 'GATEWAY' } as const;
  const incomplete = await startCompleteRun(order, close);
  if (incomplete.length === 0) return;
  order.log.error(
    { period, incomplete },
    'programs lack what statements must say, so theirs are not issued: complete them with tillgate programs set FILE, and issue theirs with tillgate statements rerun',
  );
}

const RUN = statementOf(
  `SELECT r.kind, r.period, r.issue_incomplete, b.account_ids FROM issue_run r
   LEFT JOIN issue_batch b ON b.run_id = r.run_id AND b.from_account_id = $2 WHERE r.run_id = $1`,
);
type RunRow = [kind: IssueKind, period: string, issueIncomplete: boolean, only: readonly string[] | null];

// The lock is the one that commands wait for, so an account's events keep their order.
const LOCK = statementOf(
  'SELECT account_id FROM account WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR NO KEY UPDATE',
);

const INSERT = statementOf(
  `INSERT INTO statement (account_id, statement_id, program, document_type, source, statement_date, description,
     corrects_statement_id, correction_kind, through_seq, amount_minor, size_bytes, sha256, sealed_key, pdf, content)
   VALUES ($1, $2, $3, $4, 'PLATFORM', $5::date, ($5::date)::text, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

/** Another process issued documents to one of the accounts meanwhile, so the due documents have to be found again. */
class DocumentsChanged extends Error {
  override readonly name = 'DocumentsChanged';
}

const isOutdated = (error: unknown): boolean => error instanceof DocumentsChanged;

type Making = Sources & Pick<IssuingOrder, 'threads'>;
type Made = DueDocument & { readonly kept: KeptDocument };

async function issue(order: IssuingOrder, job: IssueJob): Promise<void> {
  const { database } = order;
  const [run] = await database.query<RunRow>(RUN, [job.runId, job.from]);
  if (!run) return;
  const [kind, text, issueIncomplete, only] = run;
  const period = periodOf(kind, text);
  if (!period) throw new Error('an issue run has no period');
  const issuers = await order.issuers.ofJob(database, job);
  const { programs } = issuers;
  const documentType = kind === 'close' ? 'STATEMENTS' : 'TAX_1099';
  const batch: AccountBatch = { ...job, programs, only, documentType, issueIncomplete, period };
  // Other months of the same accounts may be issued at the same time, by this process or another.
  await attempt(ATTEMPTS, isOutdated, () => issueBatch({ ...order, issuers }, kind, batch));
}

/**
 * One transaction with its events and its numbers: done whole, or not at all. Done twice, it finds nothing left to do.
 */
async function issueBatch({ threads, ...sources }: Making, kind: string, batch: AccountBatch): Promise<void> {
  const due = await findDocumentsDue(sources, batch);
  const making = due.documents.map(async document => {
    const { account, content } = document;
    const pdf = await threads.render(content, sources.issuers.logoOf(account.program));
    const kept = sources.vault.keep(account.accountId, content.statementId, pdf, JSON.stringify(content));
    return { ...document, kept };
  });
  const made = await Promise.all(making);
  await inTransaction(sources.database, async transaction => {
    if (made.length > 0) await write(transaction, kind, batch, made);
    await countBatch(transaction, batch, due);
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
  for (const { account, content, throughSeq, amountMinor, kept } of made) {
    const { correctedStatementId: corrects, correctionKind } = correctionIn(content);
    const key = [account.accountId, content.statementId, account.program, documentType, end, corrects, correctionKind];
    const { sizeBytes, sha256, sealedKey, pdf, content: sealedContent } = kept;
    const values = [throughSeq, amountMinor, sizeBytes, sha256, sealedKey, pdf, sealedContent];
    await transaction.query(INSERT, [...key, ...values]);
  }
  const events = made.map(({ account: { program, accountId }, content }): NewEvent => {
    const { correctedStatementId: corrects, correctionKind } = correctionIn(content);
    return {
      by: { program, clientId: GATEWAY_CLIENT, subject: kind, requestId: runId },
      action: 'statement.issue',
      accountId,
      object: `statement/${content.statementId}`,
      data: { documentType, statementDate: end, ...(corrects !== null && { corrects, correctionKind }) },
    };
  });
  await transaction.runAll(recording(events));
}

/** Only forms correct others. A statement never changes: what is posted late is on the next one. */
function correctionIn(content: DueDocument['content']) {
  return 'boxes' in content
    ? { correctedStatementId: content.correctedStatementId, correctionKind: content.correctionKind ?? null }
    : { correctedStatementId: null, correctionKind: null };
}
