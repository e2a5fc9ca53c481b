import type pg from 'pg';
import { isConnectionLost } from '../../../../lib/pg-wire/pg-errors.js';
import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { askInOrder, type Question } from '../ask.js';
import { BEGIN, COMMIT, CommitUnknown, Outgoing, onClient, type Asking, type Query } from '../outgoing.js';
import { areThere, hasShards, type CitusNode, type CitusNodes } from './nodes.js';
import type { Shard } from './placements.js';
import { numberedEvent, recordsEvent } from './replaced.js';
import { shardStatement } from './shard-statement.js';

/** Asks for all statements of a transaction before it awaits any, and decides. */
export type First<Plan> = (transaction: Asking) => Promise<Plan>;

/** The coordinator, which has the numbers of events. */
interface Coordinator {
  readonly pool: pg.Pool;
  partsOf(statement: Statement, values: readonly unknown[]): readonly StatementPart[] | null;
}

/**
 * What Citus locks itself where it writes to shards (5 is SHARE): none of them moves away while the transaction runs. A
 * shard of `account` stands for those that are kept with it.
 */
const KEEP_SHARDS: Statement = { name: 'citus_keep_shards', text: 'SELECT lock_shard_metadata(5, $1::int8[])::text' };

/** Of a transaction that has an id, as everywhere where numbers are drawn. */
const DRAW_NUMBERS: Statement = {
  name: 'citus_draw_numbers',
  text: `SELECT nextval(CASE WHEN pg_current_xact_id() IS NOT NULL THEN 'event_id_seq'::regclass END) FROM generate_series(1, $1::int)`,
};
/** `x'65766e74'` is 'evnt'. The function `feed_advance` looks for these locks. */
const HOLD_NUMBERS: Statement = {
  name: 'citus_hold_numbers',
  text: `SELECT count(pg_advisory_xact_lock_shared(x'65766e74'::int, n)::text) FROM unnest($1::int[]) n`,
};
const LOW_BITS = 0x7fff_ffffn;
const ROLLBACK: Statement = { name: 'rollback', text: 'ROLLBACK' };

/** It has to be done through the coordinator. Nothing is written yet. */
class Elsewhere extends Error {
  override readonly name: string = 'Elsewhere';
}

/** The node lacks a shard that it had. */
class Moved extends Elsewhere {
  override readonly name = 'Moved';
}

/** What a transaction is about: shards of one node. */
interface Group {
  readonly node: CitusNode;
  readonly shards: ReadonlyMap<number, Shard>;
}

/**
 * Runs a transaction on the node that has all its accounts, by plain statements about their shards. Null where it is
 * about more, or where the node cannot be worked with; nothing has been done then. Throws what `inTwoRoundTrips`
 * throws.
 */
export async function transactOnNode<Plan>(
  coordinator: Coordinator,
  nodes: CitusNodes,
  first: First<Plan>,
  last: (plan: Plan) => readonly Query[],
): Promise<{ readonly plan: Plan } | null> {
  const opening = new Outgoing(coordinator);
  const deciding = first(opening);
  deciding.catch(() => undefined);
  const group = groupOf(nodes, opening.parts);
  const parts = group && placedParts(nodes, group, opening.parts);
  if (!parts) {
    opening.fail(new Elsewhere());
    return null;
  }
  let committing = false;
  try {
    return await onClient(await group.node.pool(), async client => {
      const shards = [...group.shards.values()].sort((a, b) => a.id - b.id);
      const has = hasShards(shards);
      const before = [{ statement: BEGIN, values: [] }, { statement: KEEP_SHARDS, values: [has.values[0]] }, has];
      const answers = await opening.send(client, { before, parts }).catch(moved);
      if (answers.length > 0 && !areThere(has, answers[2])) throw new Moved();
      const plan = await deciding;
      const closing = new Outgoing(coordinator);
      const results = closing.queryAll(last(plan));
      results.catch(() => undefined);
      const effects = await numbered(coordinator, client, closing.parts);
      const placed = placedParts(nodes, group, effects);
      if (!placed) throw new Elsewhere();
      committing = true;
      await Promise.all([
        results,
        closing.send(client, { parts: placed, behind: [{ statement: COMMIT, values: [] }] }),
      ]);
      return { plan };
    });
  } catch (error) {
    if (committing) throw isConnectionLost(error) ? new CommitUnknown(error) : error;
    if (error instanceof Moved || isGone(error)) nodes.placements.forget();
    else if (!(error instanceof Elsewhere) && !group.node.fails(error)) throw error;
    opening.fail(error);
    return null;
  }
}

/** Whether the node has no such table any more. */
function isGone(error: unknown): boolean {
  return (error as { readonly code?: string }).code === '42P01';
}

/** A node that does not give the lock of a shard to its role, or not in time, is no place to write on. */
function moved(error: unknown): never {
  throw isConnectionLost(error) ? error : new Moved();
}

/** Null for accounts of several nodes, for none, and where their node is not known or cannot be worked with. */
function groupOf(nodes: CitusNodes, parts: readonly StatementPart[]): Group | null {
  const shards = new Map<number, Shard>();
  for (const { key } of parts) {
    const shard = key === undefined ? null : nodes.shardOf(key);
    if (shard) shards.set(shard.id, shard);
    else if (key !== undefined) return null;
  }
  const [one, ...others] = shards.values();
  const node = one && others.every(other => other.node === one.node) ? nodes.nodeOf(one) : null;
  return node && { node, shards };
}

/** The statements as they are on the node; null where one of them is about more. */
function placedParts(nodes: CitusNodes, { shards }: Group, parts: readonly StatementPart[]): Question[] | null {
  const [one] = shards.values();
  const placed: Question[] = [];
  for (const { statement, values, key } of parts) {
    const shard = key === undefined ? one : shards.get(nodes.shardOf(key)?.id ?? 0);
    const here = shard && shardStatement(statement, shard, key !== undefined);
    if (!here) return null;
    placed.push({ statement: here, values });
  }
  return placed;
}

/**
 * The statements with the numbers of the events that they record. A number belongs to a transaction of the coordinator
 * until the node holds it, so that at any moment the feed finds who has it (`migrations/citus/feed.ts`).
 */
async function numbered(
  { pool }: Coordinator,
  client: pg.PoolClient,
  parts: readonly StatementPart[],
): Promise<readonly StatementPart[]> {
  const count = parts.filter(recordsEvent).length;
  if (count === 0) return parts;
  const drawing = await pool.connect();
  try {
    const draw = [
      { statement: BEGIN, values: [] },
      { statement: DRAW_NUMBERS, values: [count] },
    ];
    const [, rows = []] = await askInOrder(drawing, draw);
    const numbers = rows.map(([number]) => number as bigint);
    const held = numbers.map(number => Number(number & LOW_BITS));
    await askInOrder(client, [{ statement: HOLD_NUMBERS, values: [held] }]);
    return parts.map(part => (recordsEvent(part) ? numberedEvent(part, numbers.shift() as bigint) : part));
  } finally {
    // The node works on meanwhile. A connection that cannot roll back is closed, which does the same.
    void askInOrder(drawing, [{ statement: ROLLBACK, values: [] }]).then(
      () => drawing.release(),
      () => drawing.release(true),
    );
  }
}
