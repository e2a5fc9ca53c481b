import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inSeconds } from '../../hold/support/in-seconds.js';
import type { HttpClient } from '../../support/http.js';
import { wrongAfterwards, wrongNow } from './money-audit.js';
import { restCode } from '../../support/answers.js';

/** Transfers between accounts of one program, with everything else that moves their money. */
export interface TransferStorm {
  /** Clients of the gateways: each connection uses them in turn. */
  readonly clients: readonly HttpClient[];
  readonly sql: pg.Pool;
  readonly token: string;
  readonly program: string;
  readonly accounts: readonly string[];
  /** In a checked program nothing is done that may take more than there is, so nothing is taken back either. */
  readonly isChecked: boolean;
  /** No account lets more out in a day, whatever operators set meanwhile: half of it at least. */
  readonly mostADay: number;
  readonly operations: number;
  readonly connections: number;
  readonly tell?: (line: string) => void;
}

export interface StormFigures {
  readonly operations: number;
  readonly made: number;
  readonly reversed: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Snapshots of the whole program that were looked at. */
  readonly looks: number;
  readonly wrong: readonly string[];
}

const TELL_EVERY = 10_000;
const RECENT = 50;
const MOST_AT_ONCE = 5;
/** A reader rests so many times as long as its look took, so that looks at a long history leave the writers time. */
const RESTS_A_LOOK = 5;
const LEAST_REST_MS = 100;
/** What a busy machine answers, and what says nothing of what became of a request. */
const UNSURE = new Set(['unavailable', 'timed_out', 'idempotency_in_progress']);
const MAX_TRIES = 20;
const PAUSE_MS = 50;

interface Request {
  readonly name: string;
  readonly method?: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  /** What it may be refused with. */
  readonly refusals: readonly string[];
  /** The ids of the transfers that it makes, if it is carried out. */
  readonly transfers?: readonly string[];
  /** The transfer that it takes back. */
  readonly reverses?: string;
}

const REFUSED = ['insufficient_funds', 'limit_exceeded'];

/**
 * Clients move money between accounts, post, hold and set limits, all at once, while readers look at the whole program.
 * Every request is sent twice with one key now and then. Afterwards what clients were told is compared with what is
 * stored.
 */
export async function transferStorm(storm: TransferStorm): Promise<StormFigures> {
  const { sql, program, clients, connections, operations } = storm;
  const wrong: string[] = [];
  const refused: Record<string, number> = {};
  const made = new Set<string>();
  const reversed = new Set<string>();
  const recent: string[] = [];
  let [begun, looks, done] = [0, 0, false];

  const remember = (transferId: string): void => {
    made.add(transferId);
    if (recent.push(transferId) > RECENT) recent.shift();
  };
  const client = async (connection: number): Promise<void> => {
    while (begun < operations) {
      begun += 1;
      if (begun % TELL_EVERY === 0) storm.tell?.(`${begun} operations, ${looks} looks, ${wrong.length} wrong`);
      const request = requestOf(storm, recent);
      const key = `op-${randomBytes(8).toString('hex')}`;
      const send = (n: number) => ask(clients[n % clients.length] as HttpClient, storm.token, key, request);
      const first = await send(connection + begun);
      if (Math.random() < 0.05) {
        const again = await send(connection + begun + 1);
        if (JSON.stringify(again) !== JSON.stringify(first)) wrong.push(`${request.name} was answered otherwise again`);
      }
      for (const { transferId, code } of first) {
        if (code !== null) refused[code] = (refused[code] ?? 0) + 1;
        if (code !== null && !request.refusals.includes(code)) wrong.push(`${request.name} was ${code}`);
        if (code === null && transferId !== null) remember(transferId);
      }
      if (request.reverses && first[0]?.code === null) reversed.add(request.reverses);
    }
  };
  const reader = async (): Promise<void> => {
    while (!done) {
      const begunMs = performance.now();
      wrong.push(...(await wrongNow(sql, storm)));
      looks += 1;
      await sleep(Math.max(LEAST_REST_MS, RESTS_A_LOOK * (performance.now() - begunMs)));
    }
  };
  const writing = Promise.all(Array.from({ length: connections }, (_, connection) => client(connection)));
  await Promise.all([writing, reader(), reader()].map(one => one.finally(() => (done = true))));

  wrong.push(...(await wrongAfterwards(sql, program)));
  const { rows } = await sql.query<{ id: string; status: string }>(
    `SELECT transfer_id AS id, status FROM transfer WHERE program = $1 AND account_id = from_account_id`,
    [program],
  );
  const stored = new Map(rows.map(({ id, status }) => [id, status]));
  const missing = [...made].filter(id => !stored.has(id));
  const unknown = [...stored.keys()].filter(id => !made.has(id));
  const notBack = [...stored].filter(([id, status]) => (status === 'REVERSED') !== reversed.has(id));
  wrong.push(...missing.map(id => `${id} is lost`), ...unknown.map(id => `${id} was made and refused`));
  wrong.push(...notBack.map(([id, status]) => `${id} is ${status}`));
  return { operations: begun, made: made.size, reversed: reversed.size, refused, looks, wrong };
}

function requestOf({ accounts, isChecked, mostADay }: TransferStorm, recent: readonly string[]): Request {
  const dice = Math.random();
  if (dice < 0.5) {
    const transfer = newTransfer(accounts);
    const { transferId } = transfer;
    return { name: 'transfer', path: '/transfers', body: transfer, refusals: REFUSED, transfers: [transferId] };
  }
  if (dice < 0.6) {
    const transfers = Array.from({ length: 1 + Math.floor(Math.random() * MOST_AT_ONCE) }, () => newTransfer(accounts));
    const ids = transfers.map(({ transferId }) => transferId);
    return { name: 'batch', path: '/transfers/batch', body: { transfers }, refusals: REFUSED, transfers: ids };
  }
  const account = anyOf(accounts);
  if (dice < 0.7 && !isChecked && recent.length > 0) {
    const reverses = anyOf(recent);
    const body = { reason: 'Storm' };
    return { name: 'reverse', path: `/transfers/${reverses}/reverse`, body, refusals: ['already_reversed'], reverses };
  }
  if (dice < 0.75) {
    const body = { perDay: mostADay / 2 + Math.floor((Math.random() * mostADay) / 2) };
    const path = `/accounts/${account}/transfer-limits`;
    return { name: 'limits', method: 'PATCH', path, body, refusals: [] };
  }
  if (dice < 0.85) {
    const hold = { holdId: newId('h'), amount: cents(5000), description: 'Storm', expiresAt: inSeconds(86_400) };
    const refusals = ['insufficient_funds'];
    return { name: 'hold', path: `/accounts/${account}/holds`, body: hold, refusals };
  }
  return posting(account, isChecked);
}

function posting(account: string, isChecked: boolean): Request {
  const now = inSeconds(0);
  const entry = {
    transactionId: newId('t'),
    amount: cents(20_000),
    direction: Math.random() < 0.7 ? 'CREDIT' : 'DEBIT',
    category: 'ACH',
    transactionType: 'PAYMENT',
    status: 'POSTED',
    transactedAt: now,
    postedAt: now,
  };
  const query = `mutation ($a: ID!, $t: [TransactionInput!]!, $c: Boolean!) {
    write: postAccountTransactions(input: { accountId: $a, transactions: $t, checkFunds: $c }) { transactions { transactionId } } }`;
  const variables = { a: account, t: [{ ...entry, amount: entry.amount.toFixed(2) }], c: isChecked };
  return { name: 'post', path: '/graphql', body: { query, variables }, refusals: ['insufficient_funds'] };
}

function newTransfer(accounts: readonly string[]) {
  const fromAccountId = anyOf(accounts);
  const toAccountId = anyOf(accounts.filter(account => account !== fromAccountId));
  return { fromAccountId, toAccountId, transferId: newId('tr'), amount: cents(10_000) };
}

interface Told {
  readonly transferId: string | null;
  /** Null where it was carried out. */
  readonly code: string | null;
}

/** Asks until there is an answer that says what became of it: with its key it is done once. */
async function ask(http: HttpClient, token: string, key: string, request: Request): Promise<readonly Told[]> {
  for (let tries = 1; ; tries += 1) {
    const told = await askOnce(http, token, key, request).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' || tries === MAX_TRIES) throw error;
      return null;
    });
    const isUnsure = !told || told.some(({ code }) => code !== null && UNSURE.has(code));
    if (told && (!isUnsure || tries === MAX_TRIES)) return told;
    await sleep(PAUSE_MS * tries);
  }
}

async function askOnce(http: HttpClient, token: string, key: string, request: Request): Promise<readonly Told[]> {
  const { method = 'POST', path, body, transfers = [] } = request;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': key };
  const answer = await http.send({ method, path, headers, body });
  const told = answer.body;
  if (path === '/graphql') return [{ transferId: null, code: restCode(told.errors?.[0].extensions.code) ?? null }];
  if (answer.status >= 300) return [{ transferId: transfers[0] ?? null, code: told.code as string }];
  if (!told.results) return [{ transferId: transfers[0] ?? null, code: null }];
  return (told.results as { transferId: string; refusal?: { code: string } }[]).map(({ transferId, refusal }) => ({
    transferId,
    code: refusal?.code ?? null,
  }));
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** An amount up to so many cents. */
function cents(most: number): number {
  return (1 + Math.floor(Math.random() * most)) / 100;
}

function newId(kind: string): string {
  return `${kind}-${randomBytes(8).toString('hex')}`;
}
