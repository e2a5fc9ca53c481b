import type { TaskList } from 'graphile-worker';
import type { AccountView } from '../../account/account.entity.js';
import type { AccountService } from '../../account/account.service.js';
import { attempt } from '../../../platform/database/retry.js';
import { Bulk } from '../../../platform/command/bulk.js';
import { gatewayCaller } from '../../../platform/command/recording.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobHealth } from '../../../platform/jobs/job-health.js';
import { JobWorker } from '../../../platform/jobs/job-worker.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { DocumentThreads } from '../document-threads.js';
import type { StatementService } from '../statement.service.js';
import type { KeptDocument } from '../statement.vault.js';
import { issuedOf, type IssuedDocuments, type RunBatch } from './accounts.js';
import { failed, findDocumentsDue, without, type DueDocument, type Sources } from './documents-due.js';
import { countBatch } from './issue-counts.js';
import { IssueBatch, IssueRun } from './issue-run.entity.js';
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
  readonly accounts: AccountService;
  readonly statements: StatementService;
  readonly log: Logger;
  readonly health: JobHealth;
  /** The tasks of other jobs that are run beside. */
  readonly tasks: TaskList;
  readonly threads: DocumentThreads;
  /** The number of batches of accounts that are issued at once. */
  readonly concurrency: number;
  /** True if each month is closed without a command. */
  readonly monthly: boolean;
}

/** Issues documents in jobs until the function that it gives is called, which finishes the batches that are begun. */
export async function takePartInIssuing(order: IssuingOrder): Promise<() => Promise<void>> {
  const { log, health, concurrency, monthly } = order;
  const database = await order.database.reopenDirect({
    poolSize: concurrency + OWN_CONNECTIONS,
    applicationName: 'tillgate-jobs',
    throughOrm: false,
    session: { statement_timeout: '60s' },
  });
  const worker = new JobWorker({
    database,
    concurrency,
    health,
    log,
    tasks: {
      ...order.tasks,
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

const UNPRINTABLE = 'a document has letters that no installed font can print, and shows boxes in their place';

/** Another process issued documents to one of the accounts meanwhile, so the due documents have to be found again. */
class DocumentsChanged extends Error {
  override readonly name = 'DocumentsChanged';
}

const isOutdated = (error: unknown): boolean => error instanceof DocumentsChanged;

type DocumentOrder = Omit<IssuingOrder, 'issuers'> & Pick<Sources, 'issuers'>;
type MadeDocument = DueDocument & { readonly storedDocument: KeptDocument; readonly batch: RunBatch };
type IssueCommand = Bulk<MadeDocument, AccountView, IssuedDocuments, null, object>;

/** The kind of command that keeps a document which was made. */
function issueCommand({ accounts, statements: { repository } }: DocumentOrder): IssueCommand {
  return new Bulk<MadeDocument, AccountView, IssuedDocuments, null, object>(accounts.locking, 'statement.issue', {
    readFacts: (transaction, requests) =>
      issuedOf(
        transaction,
        requests.map(({ accountId, input }) => [accountId, input.batch.documentType]),
      ),
    permit: (_account, { count, now: issuedAt }, { accountId, caller: { program }, input: made }) => {
      const { account, content, storedDocument, throughSeq, amountMinor, sameReturnAs = null, batch } = made;
      if (count !== account.issuedCount) throw new DocumentsChanged();
      const { documentType, period } = batch;
      const { correctedStatementId: correctsStatementId, correctionKind } = correctionIn(content);
      const key = { accountId, statementId: content.statementId, program, documentType, source: 'PLATFORM' };
      const details = {
        statementDate: period.end,
        description: period.end,
        issuedAt,
        throughSeq,
        amountMinor,
        sameReturnAs,
        timeZone: account.timeZone,
      };
      return { result: null, draft: { ...key, ...details, correctsStatementId, correctionKind, ...storedDocument } };
    },
    write: accepted => accepted.map(({ draft }) => repository.insertionOfOne(draft)),
    event: ({ input: { content, batch } }) => {
      const { correctedStatementId: corrects, correctionKind } = correctionIn(content);
      const { documentType, period } = batch;
      return {
        object: `statement/${content.statementId}`,
        data: { documentType, statementDate: period.end, ...(corrects !== null && { corrects, correctionKind }) },
      };
    },
  });
}

async function issue(order: IssuingOrder, job: IssueJob): Promise<void> {
  const { database } = order;
  const em = database.primary();
  const run = await em.findOne(IssueRun, { runId: job.runId });
  // A batch that failed before its run was stopped is tried again, and must not be issued any more.
  if (run?.stoppedAt !== null) return;
  const part = await em.findOne(IssueBatch, { runId: job.runId, fromAccountId: job.from });
  const only = part?.accountIds ?? null;
  const { issueIncomplete } = run;
  const kind = run.kind as IssueKind;
  const period = periodOf(kind, run.period);
  if (!period) throw new Error('an issue run has no period');
  const issuers = await order.issuers.ofJob(database, job);
  const { programs } = issuers;
  if (kind === '1099') await order.owners.payees.completeDigests(programs);
  const documentType = kind === 'close' ? 'STATEMENTS' : 'TAX_1099';
  const batch: RunBatch = { ...job, programs, only, documentType, issueIncomplete, period };
  // Other months of the same accounts may be issued at the same time, by this process or another.
  await attempt(ATTEMPTS, isOutdated, () => issueBatch({ ...order, issuers }, kind, batch));
}

/**
 * One transaction with its events and its numbers: done whole, or not at all. Done twice, it finds nothing left to do.
 */
async function issueBatch(order: DocumentOrder, kind: string, batch: RunBatch): Promise<void> {
  const { database, threads, vault, issuers } = order;
  const due = await findDocumentsDue(order, batch);
  const making = due.documents.map(async document => {
    const { content, account } = document;
    const { program, accountId } = account;
    try {
      const { pdf, isFlawed } = await threads.render(batch.documentType, content, issuers.logoOf(program));
      if (isFlawed && 'boxes' in content && !batch.issueIncomplete) return without(account, 'unprintable');
      if (isFlawed) order.log.warn({ accountId, runId: batch.runId }, UNPRINTABLE);
      const storedDocument = vault.keep(accountId, content.statementId, pdf, JSON.stringify(content));
      const caller = gatewayCaller(program, kind, { requestId: batch.runId });
      return { caller, accountId, input: { ...document, isFlawed, storedDocument, batch } };
    } catch (error) {
      return failed(order.log, account, error);
    }
  });
  const results = await Promise.all(making);
  const made = results.filter(result => 'input' in result);
  const documents = made.map(({ input }) => input);
  const leftOut = [...due.leftOut, ...results.filter(result => 'reasons' in result)];
  const command = issueCommand(order);
  await inTransaction(database, async transaction => {
    const refusals = made.length > 0 ? await command.run(transaction, made) : [];
    // An account that the lock does not see has no document, so nothing of the batch may be counted.
    const refused = refusals.find(result => result !== null);
    if (refused) throw refused;
    await countBatch(database, transaction, batch, { accounts: due.accounts, documents, leftOut });
  });
}

/** Only forms correct others. A statement never changes: what is posted late is on the next one. */
function correctionIn(content: DueDocument['content']) {
  return 'boxes' in content
    ? { correctedStatementId: content.correctedStatementId, correctionKind: content.correctionKind ?? null }
    : { correctedStatementId: null, correctionKind: null };
}
