import type { OwnerService } from '../../owner/owner.service.js';
import type { Database } from '../../platform/database/orm.js';
import { JobWorker } from '../../platform/jobs/job-worker.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { DocumentThreads } from '../document-threads.js';
import type { StatementVault } from '../statement.vault.js';
import { DocumentsDue } from './documents-due.js';
import { ISSUE_TASK, startRun, type IssueOrder } from './issue-run.js';
import { IssueService } from './issue.service.js';
import type { Issuers } from './issuers.js';
import { monthBefore } from './period.js';

const CLOSE_TASK = 'close_last_month';
/** On the first of a month at 12:30 UTC the month before is over everywhere. For three days a start makes up for it. */
const MONTHLY = `30 12 1 * * ${CLOSE_TASK} ?fill=3d&max=5`;
/** Beside the connections of the jobs: one on which the queue says that there is work, one that shows that we live, one for the queue. */
const OWN_CONNECTIONS = 3;

export interface IssuingOrder {
  readonly database: Database;
  readonly owners: OwnerService;
  readonly vault: StatementVault;
  readonly issuers: Issuers;
  readonly log: Logger;
  readonly threads: DocumentThreads;
  /** How many batches of accounts are worked on at once. */
  readonly concurrency: number;
  /** Whether each month is closed on its own. */
  readonly monthly: boolean;
}

/** Takes part in issuing documents until the function that it gives is called, which finishes the batches that are begun. */
export async function takePartInIssuing(order: IssuingOrder): Promise<() => Promise<void>> {
  const { owners, vault, issuers, log, concurrency, threads, monthly } = order;
  const database = await order.database.reopen({
    poolSize: concurrency + OWN_CONNECTIONS,
    entities: [],
    applicationName: 'tillgate-jobs',
    throughOrm: false,
    session: { statement_timeout: '60s' },
  });
  const service = new IssueService(database, new DocumentsDue(database, owners, vault, issuers), threads, vault);
  const worker = new JobWorker({
    database,
    concurrency,
    log,
    tasks: {
      [ISSUE_TASK]: payload => service.issue(payload as IssueOrder),
      [CLOSE_TASK]: async () => void (await startRun(database, lastMonth())),
    },
    ...(monthly && { crontab: MONTHLY }),
  });
  return async () => {
    await worker.stop();
    await database.close();
  };
}

function lastMonth() {
  return { kind: 'close' as const, period: monthBefore(new Date()), program: null };
}
