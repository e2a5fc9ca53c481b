import type { OwnerService } from '../../owner/owner.service.js';
import { attempt } from '../../platform/database/attempts.js';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { inTransaction, type Transaction } from '../../platform/database/transaction.js';
import { JobWorker } from '../../platform/jobs/job-worker.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { DocumentThreads } from '../document-threads.js';
import type { KeptDocument, StatementVault } from '../statement.vault.js';
import { ISSUED_COUNTS } from './accounts.js';
import { DocumentsDue, type DueBatch, type DueDocument } from './documents-due.js';
import { ISSUE_TASK, MAX_FAILURES_TOLD, startRun, type IssueJob, type RunOrder } from './issue-run.js';
import type { Issuers } from './issuers.js';
import { monthBefore, periodOf } from './period.js';

const CLOSE_TASK = 'close_last_month';
/** On the first of a month at 12:30 UTC the month before is over everywhere. A start within three days makes up for it. */
const MONTHLY = `30 12 1 * * ${CLOSE_TASK} ?fill=3d&max=5`;
/** Beside those of the jobs: one on which the queue announces jobs, one whose lock shows that we live, one for the queue. */
const OWN_CONNECTIONS = 3;
/** After that the job is tried again later. */
const ATTEMPTS = { most: 5, pauseMs: 50 };

export interface IssuingOrder {
  readonly database: Database;
  readonly owners: OwnerService;
  readonly vault: StatementVault;
  readonly issuers: Issuers;
  readonly log: Logger;
  readonly threads: DocumentThreads;
  /** How many batches of accounts are issued at once. */
  readonly concurrency: number;
  /** Whether each month is closed without a command. */
  readonly monthly: boolean;
}

/** Issues documents in jobs until the function that it gives is called, which finishes the batches that are begun. */
export async function takePartInIssuing(order: IssuingOrder): Promise<() => Promise<void>> {
  const { owners, vault, issuers, log, concurrency, threads, monthly } = order;
  const database = await order.database.reopen({
    poolSize: concurrency + OWN_CONNECTIONS,
    entities: [],
    applicationName: 'tillgate-jobs',
    throughOrm: false,
    session: { statement_timeout: '60s' },
  });
  const issuing = new Issuing(database, new DocumentsDue(database, owners, vault, issuers), threads, vault);
  const worker = new JobWorker({
    database,
    concurrency,
    log,
    tasks: {
      [ISSUE_TASK]: payload => issuing.issue(payload as IssueJob),
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

const EVENTS = statementOf(
  `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
   SELECT program, 'tillgate', $1, $2, 'statement.issue', account_id, object, data
   FROM json_to_recordset($3) e(program text, account_id text, object text, data jsonb)`,
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

type Made = DueDocument & { readonly kept: KeptDocument };

/** Issues documents. A batch of accounts is one transaction with its events and its numbers: done whole, or not at all. */
class Issuing {
  constructor(
    private readonly database: Database,
    private readonly due: DocumentsDue,
    private readonly threads: DocumentThreads,
    private readonly vault: StatementVault,
  ) {}

  /** Issues what a batch of accounts is due. A job that runs twice finds nothing left to do. */
  async issue({ runId, from, to }: IssueJob): Promise<void> {
    const [run] = await this.database.query<[RunOrder['kind'], string, string | null]>(RUN, [runId]);
    if (!run) return;
    const [kind, text, program] = run;
    const period = periodOf(kind, text);
    if (!period) throw new Error('an issue run has no period');
    const documentType = kind === 'close' ? 'STATEMENTS' : 'TAX_1099';
    // Other months of the same accounts may be issued at the same time, by this process or another.
    await attempt(
      ATTEMPTS,
      error => error instanceof DocumentsChanged,
      async () => {
        const batch = await this.due.find(documentType, { from, to, program }, period);
        const made = await Promise.all(batch.documents.map(document => this.make(document)));
        await inTransaction(this.database, async transaction => {
          if (made.length > 0) await write(transaction, kind, runId, made);
          await count(transaction, runId, from, batch);
        });
      },
    );
  }

  private async make(document: DueDocument): Promise<Made> {
    const { account, content } = document;
    const pdf = await this.threads.render(content);
    return { ...document, kept: this.vault.keep(account.accountId, content.statementId, pdf, JSON.stringify(content)) };
  }
}

async function write(transaction: Transaction, kind: string, runId: string, made: readonly Made[]): Promise<void> {
  const accountIds = made.map(({ account }) => account.accountId);
  await transaction.query(LOCK, [accountIds]);
  const counts = await transaction.query<[number]>(ISSUED_COUNTS, [accountIds, made[0]?.documentType]);
  if (counts.some(([now], index) => now !== made[index]?.account.issuedCount)) throw new DocumentsChanged();
  for (const document of made) await transaction.query(INSERT, valuesOf(document));
  await transaction.query(EVENTS, [kind, runId, JSON.stringify(made.map(eventOf))]);
}

async function count(transaction: Transaction, runId: string, from: string, batch: DueBatch): Promise<void> {
  const { accounts, early, documents, failures } = batch;
  const corrected = documents.filter(({ correctsStatementId }) => correctsStatementId !== null).length;
  const issued = documents.length - corrected;
  await transaction.query(COUNT, [
    ...[runId, accounts, issued, corrected, early, failures.length, JSON.stringify(failures), from],
  ]);
}

function valuesOf({ account, content, kept, ...document }: Made): unknown[] {
  return [
    account.accountId,
    content.statementId,
    account.program,
    document.documentType,
    document.statementDate,
    document.correctsStatementId,
    document.throughSeq,
    document.amountMinor,
    kept.sizeBytes,
    kept.sha256,
    kept.sealedKey,
    kept.pdf,
    kept.content,
  ];
}

function eventOf({ account, content, documentType, statementDate, correctsStatementId }: Made): object {
  return {
    program: account.program,
    account_id: account.accountId,
    object: `statement/${content.statementId}`,
    data: { documentType, statementDate, ...(correctsStatementId !== null && { corrects: correctsStatementId }) },
  };
}
