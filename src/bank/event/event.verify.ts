import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WriteStream } from 'node:tty';
import type { Report } from '../../platform/report/report.js';
import { statusOf } from '../../platform/report/stop-signal.js';
import type { Json } from '../../shared/json.js';
import { UsageError } from '../../shared/usage-error.js';
import type { Database } from '../../platform/database/orm.js';
import { Event } from './event.entity.js';
import { DeniedAttempt, ProgramEvent } from './program-event.entity.js';
import { showProgress } from '../../platform/report/progress.js';
import { ChainTally, type BrokenLink, type ChainHead } from './chain.tally.js';
import { verifyChains } from './event.chain.js';

/** The number of broken links that are shown. */
const MAX_TOLD = 100;

const WHAT: Readonly<Record<BrokenLink['problem'], string>> = {
  changed: 'does not match its hash',
  missing: 'or one before it is missing',
  end: 'is the last one, and the account names another',
  unchained: 'is in no chain',
};

export interface VerifyEventsOrder {
  readonly database: Database;
  /**
   * A file with the heads of an earlier run, which nobody who can write to the database should be able to write; or
   * null.
   */
  readonly headsFile: string | null;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/**
 * Verifies the chains of events of every account and every program, and of the denied attempts, and reports what is
 * broken. With a file of heads it compares the chains with the heads of the last run, which shows what was cut off at
 * the end, and keeps the present ones if nothing is broken. Gives the exit status.
 */
export async function verifyEvents({ database, headsFile, stop, report, stderr }: VerifyEventsOrder): Promise<number> {
  const heads = headsFile === null ? [] : await readHeads(headsFile);
  const em = database.primary();
  const counts = await Promise.all([em.count(Event), em.count(ProgramEvent), em.count(DeniedAttempt)]);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const tally = new ChainTally();
  const hideProgress = showProgress('events', tally, { done: () => tally.rows / Math.max(1, total) }, stderr);
  try {
    await verifyChains(database, tally, heads, stop);
  } finally {
    hideProgress();
  }
  const links = tally.broken.slice(0, MAX_TOLD);
  const [events, accounts] = [tally.events.account, tally.heads.account.size];
  const programEvents = tally.events.program;
  const [denied, programs] = [tally.events.denied, tally.heads.denied.size];
  const [broken, finished] = [tally.broken.length, !stop.aborted];
  report.result({ events, accounts, programEvents, denied, programs, broken, links: links.map(linkOf), finished });
  if (!finished) {
    stderr.write('The verification was stopped without a result. Run the same command again.\n');
    return statusOf(stop.reason);
  }
  for (const link of links) stderr.write(`${placeOf(link)} ${WHAT[link.problem]}\n`);
  const untold = broken - MAX_TOLD;
  if (untold > 0) stderr.write(`${untold} more broken links after the first ${MAX_TOLD}\n`);
  const attempts = denied > 0 ? ` and ${denied} denied attempts in ${programs} programs` : '';
  const changes = programEvents > 0 ? `, ${programEvents} of ${tally.heads.program.size} programs` : '';
  report.line(`${events} events of ${accounts} accounts${changes}${attempts} verified: ${broken} broken`);
  if (broken > 0) return 1;
  if (headsFile !== null) await writeHeads(headsFile, tally.heads.all());
  return 0;
}

function linkOf(link: BrokenLink): Record<string, Json> {
  if (link.problem === 'unchained') return { ...link };
  const { kind, of, seq, problem } = link;
  return { ...(kind === 'account' ? { accountId: of } : { program: of }), event: seq, problem };
}

function placeOf(link: BrokenLink): string {
  if (link.problem === 'unchained') return `event with the id ${link.id}`;
  return `${PLACES[link.kind]} ${link.of}: event ${link.seq}`;
}

const HASH = /^[0-9a-f]{64}$/;
/** The first word of a line of a program. The line of an account begins with its id. */
const PROGRAM_KINDS = ['program', 'denied'] as const;
const PLACES = { account: 'account', program: 'program', denied: 'denied attempts in' } as const;

/**
 * The heads that the last run kept in a file; none if there is no file yet. Throws `UsageError` for another file, and
 * if the heads of this run could not be kept: an operator should learn that before a long verification.
 */
async function readHeads(file: string): Promise<ChainHead[]> {
  try {
    await access(dirname(file), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(
      'The file of --heads cannot be written. Check that its folder exists and that this user may write there.',
      { cause: error },
    );
  }
  const lines = (await textOf(file)).split('\n').filter(line => line !== '');
  return lines.map(headOf);
}

async function writeHeads(file: string, heads: readonly ChainHead[]): Promise<void> {
  const text = heads.map(head => `${lineOf(head)}\n`).join('');
  // If this run is killed here, the heads of the last one stay.
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new UsageError('The file of --heads cannot be read. Check its permissions.', { cause: error });
  }
}

/** The account or program, the number of the last event and its hash; neither ids nor programs contain spaces. */
function lineOf({ kind, of, seq, hash }: ChainHead): string {
  return `${kind === 'account' ? '' : `${kind} `}${of} ${seq} ${hash}`;
}

function headOf(line: string): ChainHead {
  const words = line.split(' ');
  const kind = PROGRAM_KINDS.find(name => words.length === 4 && words[0] === name) ?? 'account';
  const [of, seq, hash] = kind === 'account' ? words : words.slice(1);
  if (!of || !Number.isSafeInteger(Number(seq)) || !HASH.test(hash ?? '')) {
    throw new UsageError('The file of --heads was not written by this command. Name another file.');
  }
  return { kind, of, seq: Number(seq), hash: hash as string };
}
