import type { WriteStream } from 'node:tty';
import type { Report } from '../platform/cli/report.js';
import { statusOf } from '../platform/cli/stop-signal.js';
import type { Database } from '../platform/database/orm.js';
import { statementOf } from '../platform/database/statement.js';
import { showProgress } from '../platform/import/progress.js';
import { ChainTally, verifyChains, type BrokenLink, type ChainHead } from './event.chain.js';
import { readHeads, writeHeads } from './event.heads.js';

/** So many broken links are told one by one. */
const MAX_TOLD = 100;

const COUNT = statementOf('SELECT count(*)::int FROM event WHERE chain_seq IS NOT NULL');
const WHAT: Readonly<Record<BrokenLink['problem'], string>> = {
  changed: 'is not what its hash says',
  missing: 'or one before it is missing',
};

export interface VerifyEventsOrder {
  readonly database: Database;
  /** Heads of an earlier run, kept where nobody who can write to the database can: null to go without. */
  readonly headsFile: string | null;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/**
 * Verifies the chain of events of every account and says what is broken. With a file of heads it holds the chains against those of
 * the last run, which shows what was cut off at the end, and keeps the present ones if all is well. Gives the exit status.
 */
export async function verifyEvents({ database, headsFile, stop, report, stderr }: VerifyEventsOrder): Promise<number> {
  const known = headsFile === null ? new Map<string, ChainHead>() : await readHeads(headsFile);
  const [total] = await database.query<[number]>(COUNT);
  const tally = new ChainTally();
  const hideProgress = showProgress(
    'events',
    tally,
    { done: () => tally.events / Math.max(1, total?.[0] ?? 0) },
    stderr,
  );
  try {
    await verifyChains(database, tally, known, stop);
  } finally {
    hideProgress();
  }
  const told = tally.broken.slice(0, MAX_TOLD);
  const links = told.map(({ accountId, chainSeq, problem }) => ({ accountId, event: chainSeq, problem }));
  const [events, accounts, broken, finished] = [tally.events, tally.heads.size, tally.broken.length, !stop.aborted];
  report.result({ events, accounts, broken, links, finished });
  if (!finished) {
    stderr.write('Stopped: nothing was decided. The same command begins anew.\n');
    return statusOf(stop.reason);
  }
  for (const { accountId, event, problem } of links) {
    stderr.write(`account ${accountId}: event ${event} ${WHAT[problem]}\n`);
  }
  const untold = broken - MAX_TOLD;
  if (untold > 0) stderr.write(`${untold} more broken links after the first ${MAX_TOLD}\n`);
  report.line(`${events} events of ${accounts} accounts verified: ${broken} broken`);
  if (broken > 0) return 1;
  if (headsFile !== null) await writeHeads(headsFile, tally.heads.values());
  return 0;
}
