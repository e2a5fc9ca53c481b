import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Site } from './site.js';
import { anyOf } from './any-of.js';
import type { AcknowledgedWrite, Swarm } from './swarm.js';
import type { WriteApi, Effect, Result, Write } from './writes.js';

/** What is wrong afterwards, each with the key or the account. All empty: every write was done exactly once. */
export interface Audit {
  /** Acknowledged, and not there. */
  readonly lost: string[];
  /** There more than once, or there though nobody ever asked for it. */
  readonly doubled: string[];
  /** Asked again, and not answered as the first time. */
  readonly wrongReplays: string[];
  /**
   * Accounts whose ledger, owners, beneficiaries or events are not what the acknowledged writes make of them, and those
   * and customers of operators that are not as they were told last.
   */
  readonly wrongAccounts: string[];
  /** Ids of events that have no position in the feed. */
  readonly unfed: string[];
}

const ASKING_AT_ONCE = 16;
const ASKED_FOR_MS = 60_000;
const ASKED_EVERY_MS = 200;
const FED_WITHIN_MS = 20_000;
const FED_POLL_MS = 250;

/** Compares what the clients were told with what is stored. Nothing may be writing any more. */
export async function audit(site: Site, swarm: Swarm, sql: pg.Pool, accounts: readonly string[]): Promise<Audit> {
  const found: Audit = { lost: [], doubled: [], wrongReplays: [], wrongAccounts: [], unfed: [] };
  await settleForgotten(swarm, sql, found);
  await checkEvents(swarm.acknowledged, sql, found);
  await checkAccounts(swarm.acknowledged, sql, accounts, found);
  await checkLastTold(swarm.acknowledged, sql, found);
  await askAgain(site, swarm, found);
  // Asking again must not have changed anything.
  await checkEvents(swarm.acknowledged, sql, found);
  await checkFeed(sql, found);
  return found;
}

/** Gateways give each event its position, in a moment. */
async function checkFeed(sql: pg.Pool, found: Audit): Promise<void> {
  const idsOf = async (query: string): Promise<string[]> =>
    (await sql.query<{ id: string }>(query)).rows.map(({ id }) => id);
  const giveUpAt = Date.now() + FED_WITHIN_MS;
  for (;;) {
    const done = [...(await idsOf('SELECT id FROM account_event')), ...(await idsOf('SELECT id FROM program_event'))];
    const fed = new Set(await idsOf('SELECT event_id AS id FROM feed'));
    const unfed = done.filter(id => !fed.has(id));
    if (unfed.length > 0 && Date.now() < giveUpAt) {
      await sleep(FED_POLL_MS);
      continue;
    }
    found.unfed.push(...unfed);
    return;
  }
}

/** Nobody knows whether these were done. Once they are asked again they are, and still once only. */
async function settleForgotten(swarm: Swarm, sql: pg.Pool, { wrongReplays }: Audit): Promise<void> {
  const done = await events(sql);
  for (const write of swarm.forgotten) {
    const result = await swarm.settle(write, 0);
    const wasDone = done.has(write.key);
    if (result?.refusal === null && result.replayed !== wasDone) {
      wrongReplays.push(
        `${write.key} was ${wasDone ? '' : 'not '}done, and was ${result.replayed ? '' : 'not '}replayed`,
      );
    }
  }
}

async function checkEvents(acknowledged: readonly AcknowledgedWrite[], sql: pg.Pool, found: Audit): Promise<void> {
  const counts = await events(sql);
  for (const { write, result } of acknowledged) {
    const expected = eventsOf(result);
    const count = counts.get(write.key) ?? 0;
    if (count < expected) found.lost.push(write.key);
    if (count > expected) found.doubled.push(`${write.key} ${count} times`);
    counts.delete(write.key);
  }
  found.doubled.push(...[...counts.keys()].map(key => `${key} without an answer`));
  const { rows } = await sql.query<{ count: number }>('SELECT count(*)::int FROM idempotency_key');
  if (rows[0]?.count !== acknowledged.length) {
    found.doubled.push(`${acknowledged.length} keys were used and ${rows[0]?.count} are kept`);
  }
}

/** How many events a write has: a transfer has one in the chain of each account. */
function eventsOf({ refusal, effect }: Result): number {
  if (refusal !== null) return 0;
  return effect && 'transfers' in effect ? 2 * effect.transfers.length : 1;
}

/** How many events each key has. */
async function events(sql: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ key: string; count: number }>(
    'SELECT request_id AS key, count(*)::int FROM event GROUP BY 1',
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}

interface StoredAccount {
  readonly account: string;
  readonly events: number;
  readonly beneficiaries: readonly object[];
  readonly owners: readonly string[];
  readonly cards: readonly string[];
  readonly holds: readonly string[];
  readonly statements: readonly string[];
  /** Each with how many transactions it has here. */
  readonly transfers: readonly string[];
  readonly transactions: readonly string[];
  readonly sound: boolean;
}

/** Of one account, which is on one node of a Citus cluster. */
const STORED = `SELECT a.account_id AS account,
    (SELECT count(*)::int FROM account_event e WHERE e.account_id = a.account_id) AS events,
    (SELECT coalesce(json_agg(json_build_object('beneficiaryId', b.beneficiary_id, 'name', b.name_first, 'last', b.name_last, 'share', b.share_percentage)
       ORDER BY b.beneficiary_id::text), '[]') FROM beneficiary b WHERE b.account_id = a.account_id) AS beneficiaries,
    (SELECT coalesce(json_agg(o.customer_id ORDER BY o.customer_id::text), '[]') FROM account_owner o WHERE o.account_id = a.account_id) AS owners,
    (SELECT coalesce(json_agg(c.card_id || ' ' || c.status ORDER BY c.card_id), '[]') FROM card c WHERE c.account_id = a.account_id) AS cards,
    (SELECT coalesce(json_agg(h.hold_id || ' ' || h.status || ' ' || h.captured_minor ORDER BY h.hold_id), '[]') FROM hold h
      WHERE h.account_id = a.account_id) AS holds,
    (SELECT coalesce(json_agg(s.statement_id ORDER BY s.statement_id::text), '[]') FROM statement s
      WHERE s.account_id = a.account_id AND s.source = 'PARTNER') AS statements,
    (SELECT coalesce(json_agg(x.transfer_id || ' ' || x.status || ' ' || (SELECT count(*) FROM transaction e
        WHERE e.account_id = x.account_id AND split_part(e.transaction_id, '~', 1) = x.transfer_id) ORDER BY x.transfer_id), '[]')
      FROM transfer x WHERE x.account_id = a.account_id) AS transfers,
    coalesce(json_agg(t.transaction_id || ' ' || t.balance_minor ORDER BY t.seq) FILTER (WHERE t.seq IS NOT NULL AND NOT t.is_of_other), '[]') AS transactions,
    count(t.seq) = a.last_seq AND coalesce(max(t.seq), 0) = a.last_seq AND coalesce(sum(t.moved), 0) = a.balance_minor
      AND coalesce(bool_and(t.balance_minor = t.running), true)
      AND (SELECT coalesce(sum(h.amount_minor - h.captured_minor), 0) FROM hold h
        WHERE h.account_id = a.account_id AND h.status = 'ACTIVE') = a.held_minor AND (SELECT coalesce(bool_and(
        c.n = (c.e).chain_seq AND (c.e).hash = account_event_hash(coalesce(c.previous, ''), c.n, (c.e).id, (c.e).occurred_at, (c.e).program, (c.e).client_id,
          (c.e).subject, (c.e).request_id, (c.e).action, (c.e).account_id, (c.e).object, (c.e).data)), true)
        AND a.event_seq = count(*) AND a.event_hash = coalesce((array_agg((c.e).hash ORDER BY c.n DESC))[1], '') FROM (
          SELECT e, lag(e.hash) OVER w AS previous, row_number() OVER w AS n FROM account_event e WHERE e.account_id = a.account_id
          WINDOW w AS (ORDER BY e.chain_seq)) c) AS sound
  FROM account a LEFT JOIN LATERAL (
    SELECT t.seq, t.transaction_id, t.balance_minor, m.moved, sum(m.moved) OVER (ORDER BY t.seq) AS running,
      EXISTS (SELECT FROM hold h WHERE h.account_id = t.account_id AND h.hold_id IN (t.transaction_id, t.reference_transaction_id))
        OR EXISTS (SELECT FROM transfer x WHERE x.account_id = t.account_id AND x.transfer_id = split_part(t.transaction_id, '~', 1)) AS is_of_other
    FROM transaction t, LATERAL (
      SELECT CASE WHEN t.status <> 'POSTED' OR t.debit_credit_memo = 'MEMO' THEN 0
        WHEN t.debit_credit_memo = 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END AS moved) m
    WHERE t.account_id = a.account_id) t ON true
  WHERE a.account_id = $1 GROUP BY a.account_id, a.last_seq, a.balance_minor, a.held_minor, a.event_seq, a.event_hash`;

async function checkAccounts(
  acknowledged: readonly AcknowledgedWrite[],
  sql: pg.Pool,
  accounts: readonly string[],
  { wrongAccounts }: Audit,
): Promise<void> {
  const found = await Promise.all(accounts.map(account => sql.query<StoredAccount>(STORED, [account])));
  for (const { account, sound, ...stored } of found.flatMap(({ rows }) => rows)) {
    const told = toldOf(acknowledged.flatMap(one => effectsOn(account, one)));
    if (!sound) wrongAccounts.push(`${account}: its ledger does not add up`);
    // Answers to writes of many clients arrive in any order, so the ledger's entries are compared by their ids.
    if (!isDeepStrictEqual({ ...stored, transactions: stored.transactions.toSorted() }, told)) {
      wrongAccounts.push(`${account}: stored ${JSON.stringify(stored)}, told ${JSON.stringify(told)}`);
    }
  }
}

const LAST = `SELECT account_id AS id, account_type || ' ' || status AS as FROM account WHERE account_id = ANY ($1)
  UNION ALL SELECT customer_id::text, name_first FROM customer WHERE customer_id::text = ANY ($1)`;

/** What operators opened or created. Each is written by one client, so its answers are in order. */
async function checkLastTold(
  acknowledged: readonly AcknowledgedWrite[],
  sql: pg.Pool,
  { wrongAccounts }: Audit,
): Promise<void> {
  const told = new Map<string, string>();
  for (const { result } of acknowledged) {
    if (result.effect && 'as' in result.effect) {
      told.set('opened' in result.effect ? result.effect.opened : result.effect.customer, result.effect.as);
    }
  }
  const { rows } = await sql.query<{ id: string; as: string }>(LAST, [[...told.keys()]]);
  const stored = new Map(rows.map(row => [row.id, row.as]));
  for (const [id, as] of told) {
    if (stored.get(id) !== as) wrongAccounts.push(`${id}: stored ${stored.get(id)}, told ${as}`);
  }
}

/** What a write did to an account, each with an event. A transfer is done to both of its accounts. */
function effectsOn(account: string, { write, result: { effect } }: AcknowledgedWrite): Effect[] {
  if (effect && 'transfers' in effect) {
    return effect.transfers
      .filter(({ fromAccountId, toAccountId }) => account === fromAccountId || account === toAccountId)
      .map(one => ({ transfers: [one] }));
  }
  return effect && write.account === account ? [effect] : [];
}

function toldOf(effects: readonly Effect[]): Omit<StoredAccount, 'account' | 'sound'> {
  const beneficiaries = new Map<string, object>();
  const owners = new Set<string>();
  const transactions: string[] = [];
  const cards = new Map<string, string>();
  const holds = new Map<string, string>();
  const statements: string[] = [];
  const transfers = new Map<string, string>();
  for (const effect of effects) {
    if ('posted' in effect) {
      transactions.push(
        ...effect.posted.map(entry => `${entry.transactionId} ${BigInt(entry.availableBalance.replace('.', ''))}`),
      );
    } else if ('as' in effect) continue;
    else if ('card' in effect) cards.set(effect.card, effect.status);
    else if ('hold' in effect) holds.set(effect.hold, `${effect.status} ${BigInt(effect.captured.replace('.', ''))}`);
    else if ('statement' in effect) statements.push(effect.statement);
    else if ('transfers' in effect) {
      for (const { transferId, status } of effect.transfers) transfers.set(transferId, status);
    } else if ('owner' in effect) {
      if (effect.status === 'ADDED') owners.add(effect.owner);
      if (effect.status === 'REMOVED') owners.delete(effect.owner);
    } else {
      const { beneficiaryId, name, sharePercentage } = effect.beneficiary;
      const shown = { beneficiaryId, name: name.first, last: name.last, share: sharePercentage };
      if (effect.deleted) beneficiaries.delete(beneficiaryId);
      else beneficiaries.set(beneficiaryId, shown);
    }
  }
  return {
    events: effects.length,
    beneficiaries: [...beneficiaries.keys()].toSorted().map(id => beneficiaries.get(id) as object),
    owners: [...owners].toSorted(),
    cards: [...cards].map(([card, status]) => `${card} ${status}`).toSorted(),
    holds: [...holds].map(([hold, state]) => `${hold} ${state}`).toSorted(),
    statements: statements.toSorted(),
    transfers: [...transfers].map(([id, status]) => `${id} ${status} ${status === 'MADE' ? 1 : 2}`).toSorted(),
    transactions: transactions.toSorted(),
  };
}

/**
 * Every key over the API that answered, which must answer word by word the same, and every fourth over the other
 * one as well.
 */
async function askAgain(site: Site, swarm: Swarm, { wrongReplays }: Audit): Promise<void> {
  const waiting = swarm.acknowledged.entries();
  const asking = async () => {
    for (const [index, { write, result }] of waiting) {
      const again = await firstAnswer(site, swarm, write, result.api);
      if (!again.replayed || again.text !== result.text) {
        wrongReplays.push(`${write.key} was ${result.text} and is ${again.replayed} ${again.text}`);
      }
      const other = result.api === 'rest' ? 'graphql' : 'rest';
      if (index % 4 !== 0 || !write.requests[other]) continue;
      const through = await firstAnswer(site, swarm, write, other);
      const same = isDeepStrictEqual([through.effect, through.refusal], [result.effect, result.refusal]);
      if (!through.replayed || !same) {
        wrongReplays.push(
          `${write.key} was ${result.text} and is, over the other API, ${through.replayed} ${through.text}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: ASKING_AT_ONCE }, asking));
}

/** The first answers of a gateway after the faults may still be that an old connection broke, or that it is busy. */
async function firstAnswer(site: Site, swarm: Swarm, write: Write, api: WriteApi) {
  const giveUpAt = Date.now() + ASKED_FOR_MS;
  for (;;) {
    const result = await swarm.ask(write, api, anyOf(site.gateways).http);
    if (typeof result === 'object') return result;
    if (Date.now() > giveUpAt) throw new Error(`${write.key} has no definite answer afterwards, but ${result}.`);
    await sleep(ASKED_EVERY_MS);
  }
}
