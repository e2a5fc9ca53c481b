import type { WriteStream } from 'node:tty';
import type { Report } from '../platform/report/report.js';
import { statusOf } from '../platform/report/stop-signal.js';
import type { Json } from '../shared/json.js';
import type { Database } from '../platform/database/orm.js';
import { statementOf } from '../../lib/pg-wire/statement.js';
import { showProgress } from '../platform/report/progress.js';
import { readHeads, writeHeads } from './event.heads.js';
import { ChainTally, verifyChains, type BrokenLink } from './event.verification.js';

/** So many broken links are told one by one. */
const MAX_TOLD = 100;

const COUNT = statementOf('SELECT count(*)::int FROM event');
const WHAT: Readonly<Record<BrokenLink['problem'], string>> = {
  changed: 'does not match its hash',
  missing: 'or one before it is missing',
  unchained: 'is in no chain',
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
 * Verifies the chains of events, of every account and of the denied attempts of every program, and says what is broken. With a file of heads it holds the chains against those of
 * the last run, which shows what was cut off at the end, and keeps the present ones if all is well. Gives the exit status.
 */
export async function verifyEvents({ database, headsFile, stop, report, stderr }: VerifyEventsOrder): Promise<number> {
  const known = headsFile === null ? [] : await readHeads(headsFile);
  const [total] = await database.query<[number]>(COUNT);
  const tally = new ChainTally();
  const hideProgress = showProgress('events', tally, { done: () => tally.rows / Math.max(1, total?.[0] ?? 0) }, stderr);
  try {
    await verifyChains(database, tally, known, stop);
  } finally {
    hideProgress();
  }
  const told = tally.broken.slice(0, MAX_TOLD);
  const [events, accounts] = [tally.events.account, tally.heads.count('account')];
  const [denied, programs] = [tally.events.denied, tally.heads.count('denied')];
  const [broken, finished] = [tally.broken.length, !stop.aborted];
  report.result({ events, accounts, denied, programs, broken, links: told.map(linkOf), finished });
  if (!finished) {
    stderr.write('The verification was stopped without a result. Run the same command again.\n');
    return statusOf(stop.reason);
  }
  for (const link of told) stderr.write(`${placeOf(link)} ${WHAT[link.problem]}\n`);
  const untold = broken - MAX_TOLD;
  if (untold > 0) stderr.write(`${untold} more broken links after the first ${MAX_TOLD}\n`);
  const attempts = denied > 0 ? ` and ${denied} denied attempts in ${programs} programs` : '';
  report.line(`${events} events of ${accounts} accounts${attempts} verified: ${broken} broken`);
  if (broken > 0) return 1;
  if (headsFile !== null) await writeHeads(headsFile, tally.heads);
  return 0;
}

function linkOf(link: BrokenLink): Record<string, Json> {
  if (link.problem === 'unchained') return { ...link };
  const { kind, of, seq, problem } = link;
  return { ...(kind === 'account' ? { accountId: of } : { program: of }), event: seq, problem };
}

function placeOf(link: BrokenLink): string {
  if (link.problem === 'unchained') return `event with the id ${link.id}`;
  return link.kind === 'account'
    ? `account ${link.of}: event ${link.seq}`
    : `denied attempts in ${link.of}: event ${link.seq}`;
}
