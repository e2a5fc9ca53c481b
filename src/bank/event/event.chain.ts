import { apart } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { hashOf } from './chain.hash.js';
import { ChainHeads, type BrokenLink, type ChainHead, type ChainTally } from './chain.tally.js';
import { END_ACCOUNT } from './event.operations.js';
import { BATCH_ROWS, EventRepository, type ChainEvent, type Link } from './event.repository.js';
import { CHAIN_KINDS, type ChainKind } from './event.selection.js';

/** The position before every event of every chain. */
const BEGINNING: readonly [of: string, seq: bigint] = ['', -(2n ** 63n)];

/**
 * Events in no chain, which the keys of the tables forbid unless somebody has removed them. Rows without their keys are
 * no entities.
 */
const UNCHAINED = `SELECT id FROM account_event WHERE account_id IS NULL OR chain_seq IS NULL
   UNION ALL SELECT id FROM program_event WHERE program IS NULL OR seq IS NULL
   UNION ALL SELECT id FROM denied_attempt WHERE program IS NULL OR seq IS NULL ORDER BY id`;

/**
 * A page of chains, each with its end: for each account behind an id the number of its last event, and whether the
 * account names it.
 */
const ENDS = apart(
  {
    name: 'chains_ends',
    text: `SELECT a.account_id, coalesce(l.chain_seq, 0), a.event_seq = coalesce(l.chain_seq, 0) AND a.event_hash = coalesce(l.hash, '')
   FROM (SELECT * FROM account WHERE account_id > $1::text ORDER BY account_id LIMIT ${BATCH_ROWS}) a LEFT JOIN LATERAL (
     SELECT e.chain_seq, e.hash FROM account_event e WHERE e.account_id = a.account_id ORDER BY e.chain_seq DESC LIMIT 1) l ON true
   ORDER BY a.account_id`,
  },
  `SELECT * FROM chain_ends($1::text, ${BATCH_ROWS}) c ORDER BY c.of_account`,
);

const NONE: Buffer = Buffer.alloc(0);

/** Before the first event of a chain. */
export const START: Link = { seq: 0n, hash: NONE };

/**
 * Computes every hash again, here and not in the database, and compares it with the one on record. `known` are heads of
 * an earlier run: a chain that no longer contains its head was cut or rewritten. Stops after a page when `stop` is
 * aborted.
 */
export async function verifyChains(
  database: Database,
  tally: ChainTally,
  heads: Iterable<ChainHead>,
  stop: AbortSignal,
): Promise<void> {
  const events = new EventRepository(database);
  const pending = new ChainHeads(heads);
  for (const kind of CHAIN_KINDS) await verifyKind(kind, events, tally, pending, stop);
  if (stop.aborted) return;
  for (const head of pending.all()) tally.broken.push(brokenAt(head, 'missing'));
  await verifyEnds(database, tally, stop);
  for (const { id } of await database.primary().execute<{ id: string }[]>(UNCHAINED)) {
    tally.broken.push({ id, problem: 'unchained' });
  }
}

async function verifyKind(
  kind: ChainKind,
  events: EventRepository,
  tally: ChainTally,
  pending: ChainHeads,
  stop: AbortSignal,
): Promise<void> {
  let [of, seq] = BEGINNING;
  let before = START;
  while (!stop.aborted) {
    const page = await events.chained(kind, of, seq);
    for (const one of page) {
      const head = headOf(kind, one);
      const link = linkOf(one);
      if (head.of !== of) before = START;
      [of, seq] = [head.of, link.seq];
      const problem = problemOf(kind, one, before);
      if (problem) tally.broken.push(brokenAt(head, problem));
      forgetEnded(one, pending);
      const anchor = pending[kind].get(of);
      if (anchor?.seq === head.seq) {
        pending[kind].delete(of);
        if (anchor.hash !== head.hash) tally.broken.push(brokenAt(head, 'changed'));
      }
      tally.heads[kind].set(of, head);
      tally.events[kind] += 1;
      before = link;
    }
    if (page.length < BATCH_ROWS) return;
  }
}

/** An account that was deleted has no events any more: its program has one that says how many there were. */
function forgetEnded({ event: { accountId, action, object, data } }: ChainEvent, pending: ChainHeads): void {
  if (accountId !== null || action !== END_ACCOUNT || object === null) return;
  const ended = object.slice(object.indexOf('/') + 1);
  const { account_event: events = 0 } = (data as { counts?: { account_event?: number } } | null)?.counts ?? {};
  if ((pending.account.get(ended)?.seq ?? Infinity) <= events) pending.account.delete(ended);
}

/** Accounts name the last event of their chain: what is added is chained to it. */
async function verifyEnds(database: Database, tally: ChainTally, stop: AbortSignal): Promise<void> {
  let after = '';
  while (!stop.aborted) {
    const rows = await database.query<[of: string, seq: bigint, isNamed: boolean]>(ENDS, [after]);
    for (const [of, seq, isNamed] of rows) {
      if (!isNamed) tally.broken.push({ kind: 'account', of, seq: Number(seq), problem: 'end' });
      after = of;
    }
    if (rows.length < BATCH_ROWS) return;
  }
}

/** Checks an event against the one before it: whether it was changed, or another one is missing before it. */
export function problemOf(kind: ChainKind, event: ChainEvent, before: Link): 'changed' | 'missing' | null {
  const { seq, hash } = linkOf(event);
  if (seq !== before.seq + 1n) return 'missing';
  return hashOf(kind, before.hash, event)?.equals(hash) ? null : 'changed';
}

export function linkOf({ event: { chainSeq, hash } }: ChainEvent): Link {
  return { seq: chainSeq as bigint, hash: hash ?? NONE };
}

function headOf(kind: ChainKind, chained: ChainEvent): ChainHead {
  const { seq, hash } = linkOf(chained);
  const { accountId, program } = chained.event;
  return {
    kind,
    of: kind === 'account' ? (accountId as string) : program,
    seq: Number(seq),
    hash: hash.toString('hex'),
  };
}

function brokenAt({ kind, of, seq }: ChainHead, problem: 'changed' | 'missing'): BrokenLink {
  return { kind, of, seq, problem };
}
