import { attempt } from '../../platform/database/retry.js';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { inTransaction, type Transaction } from '../../platform/database/transaction.js';
import type { DocumentThreads } from '../document-threads.js';
import type { KeptDocument, StatementVault } from '../statement.vault.js';
import type { AccountRange, Batch, DueDocument } from './account-batch.js';
import type { DocumentsDue } from './documents-due.js';
import { MAX_FAILURES_TOLD, periodOfRun, type IssueKind, type IssueOrder } from './issue-run.js';
import type { Period } from './period.js';

/** After that the job is tried again later. */
const ATTEMPTS = { most: 5, pauseMs: 50 };

const RUN = statementOf('SELECT kind, period, program FROM issue_run WHERE run_id = $1');

// The lock is the one that commands wait for, so an account's events keep their order.
const LOCK = statementOf(
  'SELECT account_id FROM account WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR NO KEY UPDATE',
);

const KNOWN = statementOf(
  `SELECT (SELECT count(*)::int FROM statement s WHERE s.account_id = k.account_id AND s.document_type = $2 AND s.source = 'PLATFORM'
     AND ($2 = 'STATEMENTS' OR s.statement_date = $3::date))
   FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n) ORDER BY k.n`,
);

const INSERT = statementOf(
  `INSERT INTO statement (account_id, statement_id, program, document_type, source, statement_date, description, corrects_statement_id,
     through_seq, amount_minor, size_bytes, sha256, sealed_key, pdf, content)
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
   UPDATE issue_run SET done = done + $2, issued = issued + $3, corrected = corrected + $4, early = early + $5, failed = failed + $6,
     failures = CASE WHEN jsonb_array_length(failures) < ${MAX_FAILURES_TOLD} THEN failures || $7::jsonb ELSE failures END
   WHERE run_id = $1 AND EXISTS (SELECT FROM batch)`,
);

/** Another process issued documents to one of the accounts meanwhile, so what is due has to be worked out anew. */
class DocumentsChanged extends Error {
  override readonly name = 'DocumentsChanged';
}

const isOutdated = (error: unknown): boolean => error instanceof DocumentsChanged;

type Made = DueDocument & { readonly kept: KeptDocument };

/** Issues documents. A batch of accounts is one transaction with its events and its numbers: done whole, or not at all. */
export class IssueService {
  constructor(
    private readonly database: Database,
    private readonly due: DocumentsDue,
    private readonly threads: DocumentThreads,
    private readonly vault: StatementVault,
  ) {}

  /** Issues what a batch of accounts is due. Done twice, since a process was thought dead, it finds nothing left to do. */
  async issue(order: IssueOrder): Promise<void> {
    const { runId, from, to } = order;
    const [run] = await this.database.query<[IssueKind, string, string | null]>(RUN, [runId]);
    if (!run) return;
    const [kind, text, program] = run;
    const period = periodOfRun(kind, text);
    const range = { from, to, program };
    // Other months of the same accounts may be issued at the same time, by this process or another.
    await attempt(ATTEMPTS, isOutdated, () => this.issueBatch(order, kind, range, period));
  }

  private async issueBatch({ runId, from }: IssueOrder, kind: IssueKind, range: AccountRange, period: Period) {
    const batch = await (kind === 'close' ? this.due.statements(range, period) : this.due.taxForms(range, period));
    const made = await Promise.all(batch.due.map(document => this.make(document)));
    await inTransaction(this.database, transaction => write(transaction, { runId, from, kind, batch, made }));
  }

  private async make(document: DueDocument): Promise<Made> {
    const { account, statementId, content } = document;
    const pdf = await this.threads.render(content);
    return { ...document, kept: this.vault.keep(account.accountId, statementId, pdf, JSON.stringify(content)) };
  }
}

interface Written {
  readonly runId: string;
  readonly from: string;
  readonly kind: IssueKind;
  readonly batch: Batch;
  readonly made: readonly Made[];
}

async function write(transaction: Transaction, { runId, from, kind, batch, made }: Written): Promise<void> {
  const [first] = made;
  if (first) {
    const accountIds = made.map(({ account }) => account.accountId);
    await transaction.query(LOCK, [accountIds]);
    const known = await transaction.query<[number]>(KNOWN, [accountIds, first.documentType, first.statementDate]);
    if (known.some(([count], index) => count !== made[index]?.known)) throw new DocumentsChanged();
    for (const document of made) await transaction.query(INSERT, valuesOf(document));
    await transaction.query(EVENTS, [kind, runId, JSON.stringify(made.map(eventOf))]);
  }
  const corrected = made.filter(({ correctsStatementId }) => correctsStatementId !== null).length;
  const { accounts, early, failures } = batch;
  await transaction.query(COUNT, [
    ...[runId, accounts, made.length - corrected, corrected, early, failures.length, JSON.stringify(failures), from],
  ]);
}

function valuesOf(document: Made): unknown[] {
  const { account, statementId, documentType, statementDate, correctsStatementId, throughSeq, amountMinor } = document;
  const { sizeBytes, sha256, sealedKey, pdf, content } = document.kept;
  return [
    ...[account.accountId, statementId, account.program, documentType, statementDate, correctsStatementId],
    ...[throughSeq, amountMinor, sizeBytes, sha256, sealedKey, pdf, content],
  ];
}

function eventOf({ account, statementId, documentType, statementDate, correctsStatementId }: Made): object {
  return {
    program: account.program,
    account_id: account.accountId,
    object: `statement/${statementId}`,
    data: { documentType, statementDate, ...(correctsStatementId !== null && { corrects: correctsStatementId }) },
  };
}
