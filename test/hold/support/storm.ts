import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { HttpClient } from '../../support/http.js';
import { until } from '../../support/until.js';
import { inSeconds } from './in-seconds.js';
import { auditOf, type Audit, type OperationOutcome } from './model.js';
import { restCode } from '../../support/answers.js';

/** An account of the storm. In a checked one nothing is done that may take more than there is. */
export interface StormAccount {
  readonly account: string;
  readonly isChecked: boolean;
}

export interface Storm {
  /** Clients of the gateways: each connection uses them in turn. */
  readonly clients: readonly HttpClient[];
  readonly sql: pg.Pool;
  readonly token: string;
  readonly accounts: readonly StormAccount[];
  readonly operations: number;
  readonly connections: number;
  readonly tell?: (line: string) => void;
}

export interface Figures extends Audit {
  readonly operations: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Snapshots of an account that were looked at. */
  readonly looks: number;
}

interface KnownHold {
  readonly holdId: string;
  readonly input: object;
}

/** What clients know of an account: its holds, and the ids of transactions that were posted. */
interface Memory {
  readonly holds: KnownHold[];
  readonly posted: string[];
}

const TELL_EVERY = 10_000;
/** So many of the holds of an account are tried again. Older ones are left to their ends. */
const RECENT = 30;
const READERS = 4;
const READER_PAUSE_MS = 5;

const PLACE = `mutation ($a: ID!, $input: HoldInput!) { write: placeHold(input: { accountId: $a, hold: $input }) { hold { holdId } } }`;
const CAPTURE = `mutation ($a: ID!, $h: ID!, $amount: Decimal, $keepRest: Boolean) {
  write: captureHold(input: { accountId: $a, holdId: $h, amount: $amount, keepRest: $keepRest }) { hold { holdId } } }`;
const RELEASE = `mutation ($a: ID!, $h: ID!) { write: releaseHold(input: { accountId: $a, holdId: $h }) { hold { holdId } } }`;
const POST = `mutation ($a: ID!, $t: [TransactionInput!]!, $checkFunds: Boolean!) {
  write: postAccountTransactions(input: { accountId: $a, transactions: $t, checkFunds: $checkFunds }) { transactions { transactionId } } }`;
const REVERSE = `mutation ($a: ID!, $t: ID!) {
  write: reverseTransaction(input: { accountId: $a, transactionId: $t, reason: "Storm" }) { transaction { transactionId } } }`;
const SEEN = `query ($a: ID!) { account(accountId: $a) { availableBalance balances { posted available held overdraftLimit } } }`;

/** Held money as the holds say it, and as the account says it, in one snapshot. */
const SNAPSHOT = `SELECT a.balance_minor::text AS posted, a.held_minor::text AS held, a.overdraft_limit_minor::text AS overdraft,
    (SELECT coalesce(sum(h.amount_minor - h.captured_minor), 0)::text FROM hold h
      WHERE h.account_id = a.account_id AND h.status = 'ACTIVE') AS kept
  FROM account a WHERE a.account_id = $1`;

/**
 * Clients place, capture and release holds of the same accounts, let them expire and post, all at once, while readers
 * look. Afterwards one model is led through what was done, event by event, and compared with what is stored and with
 * what the clients and the readers were told.
 */
export async function holdStorm(storm: Storm): Promise<Figures> {
  const told: OperationOutcome[] = [];
  const refused: Record<string, number> = {};
  const wrong: string[] = [];
  const memories = new Map<string, Memory>(storm.accounts.map(({ account }) => [account, { holds: [], posted: [] }]));
  let [begun, looks, done] = [0, 0, false];

  const client = async (connection: number): Promise<void> => {
    while (!done && begun < storm.operations) {
      begun += 1;
      if (begun % TELL_EVERY === 0) storm.tell?.(`${begun} operations, ${looks} looks, ${wrong.length} wrong`);
      const of = anyOf(storm.accounts);
      const key = `op-${randomBytes(8).toString('hex')}`;
      const operation = operationOn(of, memories.get(of.account) as Memory);
      const http = storm.clients[(connection + begun) % storm.clients.length] as HttpClient;
      const code = await ask(http, storm.token, of.account, key, operation);
      told.push({ key, account: of.account, isDone: code === null });
      if (code === null) operation.remember?.();
      else refused[code] = (refused[code] ?? 0) + 1;
      if (code !== null && !operation.refusals.includes(code)) wrong.push(`${key}: ${operation.name} was ${code}`);
    }
  };
  const reader = async (index: number): Promise<void> => {
    while (!done) {
      // One look for each operation is enough: readers that never pause slow down the clients, which are what is tried.
      if (looks > told.length && told.length < storm.operations) {
        await sleep(READER_PAUSE_MS);
        continue;
      }
      const of = anyOf(storm.accounts);
      const http = storm.clients[index % storm.clients.length] as HttpClient;
      wrong.push(...(index % 2 === 0 ? await lookInside(storm.sql, of) : await lookOutside(http, storm.token, of)));
      looks += 1;
    }
  };

  const writing = async (): Promise<void> => {
    await Promise.all(Array.from({ length: storm.connections }, (_, connection) => client(connection)));
    await until(async () => (await overdue(storm.sql)) === 0);
  };
  // Whatever ends first, such as a client that fails, ends all of them: nothing goes on after the test.
  const all = [writing(), ...Array.from({ length: READERS }, (_, index) => reader(index))];
  await Promise.all(all.map(one => one.finally(() => (done = true))));
  const audit = await auditOf(storm.sql, storm.accounts, told);
  return { ...audit, wrong: [...wrong, ...audit.wrong], operations: told.length, refused, looks };
}

interface Operation {
  readonly name: string;
  readonly body?: { readonly query: string; readonly variables: object };
  readonly rest?: { readonly path: string; readonly body: object };
  /** What it may be refused with. */
  readonly refusals: readonly string[];
  readonly remember?: () => void;
}

function operationOn({ isChecked }: StormAccount, { holds, posted }: Memory): Operation {
  const dice = Math.random();
  const known = holds.length > 0 ? anyOf(holds.slice(-RECENT)) : null;
  if (!known || dice < 0.35) return placing(holds);
  if (dice < 0.4) {
    return { name: 'place again', body: { query: PLACE, variables: { input: known.input } }, refusals: [] };
  }
  if (dice < 0.7) return capturing(known);
  if (dice < 0.8) {
    const refusals = ['hold_ended'];
    if (Math.random() < 0.5) return { name: 'release', rest: { path: `/${known.holdId}/release`, body: {} }, refusals };
    return { name: 'release', body: { query: RELEASE, variables: { h: known.holdId } }, refusals };
  }
  if (dice < 0.88) {
    // Where funds are checked, only captures are reversed, which gives money back: no reversal is refused for lack of
    // it.
    const transactionId = isChecked || posted.length === 0 ? `${known.holdId}~1` : anyOf(posted.slice(-RECENT));
    const refusals = ['transaction_not_found', 'already_reversed', 'transaction_not_posted'];
    return { name: 'reverse', body: { query: REVERSE, variables: { t: transactionId } }, refusals };
  }
  return posting(isChecked, posted);
}

function posting(isChecked: boolean, posted: string[]): Operation {
  const times = { transactedAt: inSeconds(0), postedAt: inSeconds(0) };
  const transactionId = newId('t');
  const entry = {
    transactionId,
    amount: cents(1, 2e4),
    direction: Math.random() < 0.7 ? 'CREDIT' : 'DEBIT',
    category: 'ACH',
    transactionType: 'TRANSFER',
    status: Math.random() < 0.9 ? 'POSTED' : 'PENDING',
    ...times,
  };
  const body = { query: POST, variables: { t: [entry], checkFunds: isChecked } };
  const refusals = isChecked ? ['insufficient_funds'] : [];
  return { name: 'post', body, refusals, remember: () => void posted.push(transactionId) };
}

function placing(holds: KnownHold[]): Operation {
  const holdId = newId('h');
  // Some end while the storm lasts.
  const expiresAt = inSeconds(Math.random() < 0.3 ? 0.3 + Math.random() : 86_400);
  const input = { holdId, amount: cents(1, 20_000), description: 'Storm', expiresAt };
  const remember = () => void holds.push({ holdId, input });
  // A request may take longer than the hold would have.
  const refusals = ['insufficient_funds', 'rule_broken'];
  if (Math.random() < 0.5) {
    return { name: 'place', rest: { path: '', body: { ...input, amount: Number(input.amount) } }, refusals, remember };
  }
  return { name: 'place', body: { query: PLACE, variables: { input } }, refusals, remember };
}

function capturing({ holdId }: KnownHold): Operation {
  const refusals = ['hold_ended', 'hold_exceeded'];
  const amount = Math.random() < 0.3 ? undefined : cents(1, 12_000);
  const keepRest = Math.random() < 0.6;
  if (Math.random() < 0.5) {
    const body = { ...(amount !== undefined && { amount: Number(amount) }), keepRest };
    return { name: 'capture', rest: { path: `/${holdId}/capture`, body }, refusals };
  }
  return { name: 'capture', body: { query: CAPTURE, variables: { h: holdId, amount, keepRest } }, refusals };
}

/** Asks once under a key, and gives the code of the refusal, or null. */
async function ask(
  http: HttpClient,
  token: string,
  account: string,
  key: string,
  { body, rest }: Operation,
): Promise<string | null> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-idempotency-key': key,
    'x-request-id': key,
  };
  if (rest) {
    const answer = await http.send({
      method: 'POST',
      path: `/accounts/${account}/holds${rest.path}`,
      headers,
      body: rest.body,
    });
    return answer.status < 300 ? null : (answer.body.code as string);
  }
  const sent = { query: body?.query, variables: { a: account, ...body?.variables } };
  const answer = await http.send({ method: 'POST', path: '/graphql', headers, body: sent });
  return restCode(answer.body.errors?.[0].extensions.code as string | undefined) ?? null;
}

async function lookInside(sql: pg.Pool, { account, isChecked }: StormAccount): Promise<string[]> {
  const { rows } = await sql.query<Record<'posted' | 'held' | 'overdraft' | 'kept', string>>(SNAPSHOT, [account]);
  const { posted, held, overdraft, kept } = rows[0] as (typeof rows)[number];
  return [
    ...(held === kept ? [] : [`${account}: ${held} is held, and its holds keep ${kept}`]),
    ...(isChecked && BigInt(posted) - BigInt(held) + BigInt(overdraft) < 0n ? [`${account}: beyond its limit`] : []),
  ];
}

async function lookOutside(http: HttpClient, token: string, { account, isChecked }: StormAccount): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = { query: SEEN, variables: { a: account } };
  const answer = (await http.send({ method: 'POST', path: '/graphql', headers, body })).body;
  const { availableBalance, balances } = answer.data.account;
  const minor = (decimal: string): bigint => BigInt(decimal.replace('.', ''));
  const [posted, available, held, overdraft] = [
    minor(balances.posted),
    minor(balances.available),
    minor(balances.held),
    minor(balances.overdraftLimit),
  ] as [bigint, bigint, bigint, bigint];
  return [
    ...(available === posted - held && availableBalance === balances.available
      ? []
      : [`${account}: ${JSON.stringify(balances)}`]),
    ...(isChecked && available + overdraft < 0n ? [`${account}: beyond its limit`] : []),
  ];
}

async function overdue(sql: pg.Pool): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int FROM hold WHERE status = 'ACTIVE' AND expires_at < now() + interval '2 seconds'`,
  );
  return rows[0]?.count ?? 0;
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** An amount of so many cents, such as `12.05`. */
function cents(least: number, most: number): string {
  return ((least + Math.floor(Math.random() * (most - least))) / 100).toFixed(2);
}

function newId(kind: string): string {
  return `${kind}-${randomBytes(8).toString('hex')}`;
}
