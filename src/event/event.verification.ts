import type { Database } from '../platform/database/orm.js';
import { Tally } from '../platform/report/progress.js';
import {
  BATCH_ROWS,
  BEGINNING,
  CHAINS,
  UNCHAINED,
  type ChainHead,
  type ChainKind,
  type ChainName,
  type ChainRow,
} from './event.chain.js';

/**
 * `changed`: the event is not what its hash says. `missing`: events before it, or those up to a known head, are not there.
 * `unchained`: it is in no chain, so all that it has is its id.
 */
export type BrokenLink =
  | (ChainName & { readonly seq: number; readonly problem: 'changed' | 'missing' })
  | { readonly id: string; readonly problem: 'unchained' };

/** How far a verification is. */
export class ChainTally extends Tally {
  readonly broken: BrokenLink[] = [];
  /** The last event that was seen of each chain. */
  readonly heads = new ChainHeads();
  readonly events: Record<ChainKind, number> = { account: 0, denied: 0 };

  get rows(): number {
    return this.events.account + this.events.denied;
  }

  get failures(): string {
    return this.broken.length > 0 ? `${this.broken.length} broken` : '';
  }
}

/** The ends of chains, by their chains. */
export class ChainHeads implements Iterable<ChainHead> {
  private readonly byKind: Readonly<Record<ChainKind, Map<string, ChainHead>>> = {
    account: new Map(),
    denied: new Map(),
  };

  constructor(heads: Iterable<ChainHead> = []) {
    for (const head of heads) this.set(head);
  }

  get({ kind, of }: ChainName): ChainHead | undefined {
    return this.byKind[kind].get(of);
  }

  set(head: ChainHead): void {
    this.byKind[head.kind].set(head.of, head);
  }

  delete({ kind, of }: ChainName): void {
    this.byKind[kind].delete(of);
  }

  count(kind: ChainKind): number {
    return this.byKind[kind].size;
  }

  *[Symbol.iterator](): Iterator<ChainHead> {
    yield* this.byKind.account.values();
    yield* this.byKind.denied.values();
  }
}

/**
 * Computes every hash anew, here and not in the database, and holds it against the one on record. `known` are heads of an earlier run:
 * a chain that no longer leads through its head was cut or rewritten. Stops after a page when `stop` is aborted.
 */
export async function verifyChains(
  database: Database,
  tally: ChainTally,
  known: Iterable<ChainHead>,
  stop: AbortSignal,
): Promise<void> {
  const pending = new ChainHeads(known);
  for (const kind of ['account', 'denied'] as const) await verifyKind(kind, database, tally, pending, stop);
  if (stop.aborted) return;
  for (const { kind, of, seq } of pending) tally.broken.push({ kind, of, seq, problem: 'missing' });
  for (const [id] of await database.query<[bigint]>(UNCHAINED)) {
    tally.broken.push({ id: String(id), problem: 'unchained' });
  }
}

async function verifyKind(
  kind: ChainKind,
  database: Database,
  tally: ChainTally,
  pending: ChainHeads,
  stop: AbortSignal,
): Promise<void> {
  const { page, hashOf } = CHAINS[kind];
  let [of, seq] = BEGINNING;
  let [expectedSeq, previous] = [1n, NONE];
  while (!stop.aborted) {
    const rows = await database.query<ChainRow>(page, [of, seq]);
    for (const row of rows) {
      if (row[0] !== of) [expectedSeq, previous] = [1n, NONE];
      [of, seq] = row;
      const hash = row[2] ?? NONE;
      const head = { kind, of, seq: Number(seq), hash: hash.toString('hex') };
      if (seq !== expectedSeq) tally.broken.push(brokenAt(head, 'missing'));
      else if (!row[14] || !hashOf(previous, row)?.equals(hash)) tally.broken.push(brokenAt(head, 'changed'));
      const anchor = pending.get(head);
      if (anchor?.seq === head.seq) {
        pending.delete(head);
        if (anchor.hash !== head.hash) tally.broken.push(brokenAt(head, 'changed'));
      }
      tally.heads.set(head);
      tally.events[kind] += 1;
      [expectedSeq, previous] = [seq + 1n, hash];
    }
    if (rows.length < BATCH_ROWS) return;
  }
}

const NONE: Buffer = Buffer.alloc(0);

function brokenAt({ kind, of, seq }: ChainHead, problem: 'changed' | 'missing'): BrokenLink {
  return { kind, of, seq, problem };
}
