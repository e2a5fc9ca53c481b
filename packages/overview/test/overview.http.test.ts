import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newCard } from '../../../test/support/card.js';
import { newHold } from '../../../test/hold/support/holds.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { inputsOf } from '../../../test/support/postings.js';
import { rounds } from '../../../test/support/rounds.js';
import { entry, line, type Entry } from '../../../test/transaction/support/ledger.js';
import { OVERVIEW, counted, givenProgram, type Day, type Overview } from './overview.js';

const gateway: TestGateway = await startTestGateway();
afterAll(() => gateway.stop());

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions { transactionId } } }`;
const DAY_MS = 24 * 3600 * 1000;

type Bank = Awaited<ReturnType<typeof givenProgram>>;

async function post({ operator }: Bank, account: string, transactions: readonly Entry[]): Promise<void> {
  const { errors } = await operator.graphql(POST, { account, transactions: inputsOf(transactions) });
  expect(errors).toBeUndefined();
}

/** An entry that is posted so many days ago. */
function ago(days: number, changes: Partial<Entry> = {}): Entry {
  const at = new Date(Date.now() - days * DAY_MS).toISOString();
  return entry({ transactionTimestamp: at, postedTimestamp: at, ...changes });
}

const dayOf = ({ currencies }: Overview, currency: string, at: number): Day | undefined =>
  currencies.find(one => one.currency === currency)?.days.at(at);

test('a program without anything has an overview without currencies', async () => {
  const { overview } = await givenProgram(gateway);
  expect(await overview()).toEqual({
    asOf: expect.any(String),
    timeZone: 'UTC',
    openAccountCount: 0,
    openedAccountCount: 0,
    inactiveCardCount: 0,
    activeCardCount: 0,
    frozenCardCount: 0,
    waitingApprovalCount: 0,
    currencies: [],
  });
});

test('accounts, deposits, cards and volumes of two currencies are told alike over GraphQL and REST', async () => {
  const bank = await givenProgram(gateway);
  const zone = { timeZone: 'UTC' };
  const dollars = [await bank.open(zone), await bank.open(zone), await bank.open({ ...zone, openedOn: '2020-02-29' })];
  const yen = await bank.open({ ...zone, currency: 'JPY' });
  const [first = '', second = '', old = ''] = dollars;
  await post(bank, first, [ago(0, { amount: '100.25' }), ago(1, { amount: '20', debitCreditMemo: 'DEBIT' })]);
  await post(bank, second, [ago(1, { amount: '7.5' }), ago(40, { amount: '1000' })]);
  await post(bank, first, [ago(0, { amount: '999', status: 'PENDING', postedTimestamp: null })]);
  await post(bank, yen, [ago(0, { amount: '5000' })]);
  const { rest } = bank.operator;
  await rest.post(`/accounts/${old}/close`, { reason: 'CUSTOMER_REQUEST' });
  const cards = ['Inactive', 'Active', 'Active', 'Active'].map(status => newCard(first, bank.customer, { status }));
  for (const card of cards) expect((await rest.post('/cards/v1/cards', card)).status).toBe(201);
  const cardIds = cards.map(({ cardId }) => cardId);
  for (const [index, step] of [
    [1, 'freezeCard'],
    [2, 'closeCard'],
  ] as const) {
    const { errors } = await bank.operator.graphql(
      `mutation ($accountId: ID!, $cardId: ID!) { ${step}(input: { accountId: $accountId, cardId: $cardId }) { replayed } }`,
      { accountId: first, cardId: cardIds[index] },
    );
    expect(errors).toBeUndefined();
  }

  const seen = await bank.overview();
  expect(seen).toMatchObject({
    timeZone: 'UTC',
    openAccountCount: 3,
    openedAccountCount: 3,
    inactiveCardCount: 1,
    activeCardCount: 1,
    frozenCardCount: 1,
    currencies: [
      { currency: 'USD', deposits: '1087.75', openAccountCount: 2 },
      { currency: 'JPY', deposits: '5000', openAccountCount: 1 },
    ],
  });
  const date = new Date().toISOString().slice(0, 10);
  expect(dayOf(seen, 'USD', -1)).toEqual({
    date,
    currency: 'USD',
    credits: '100.25',
    creditCount: 1,
    debits: '0.00',
    debitCount: 0,
    openedAccountCount: 2,
  });
  expect(dayOf(seen, 'USD', -2)).toMatchObject({ credits: '7.50', creditCount: 1, debits: '20.00', debitCount: 1 });
  expect(dayOf(seen, 'JPY', -1)).toMatchObject({ credits: '5000', creditCount: 1, debits: '0', openedAccountCount: 1 });
  expect(seen.currencies.map(({ days }) => days.length)).toEqual([30, 30]);

  const { body, text } = await rest.get('/overview');
  expect(text).toContain('"deposits":1087.75');
  expect(text).toContain('"credits":100.25');
  const numbers = seen.currencies.map(({ deposits, days, ...others }) => ({
    ...others,
    deposits: Number(deposits),
    days: days.map(day => ({ ...day, credits: Number(day.credits), debits: Number(day.debits) })),
  }));
  expect(body).toEqual({ ...seen, asOf: expect.any(String), currencies: numbers });
});

test('a closed account closes its cards, and none of them is counted any more', async () => {
  const bank = await givenProgram(gateway);
  const account = await bank.open();
  for (const status of ['Active', 'Inactive', 'Lost']) {
    const { status: answered } = await bank.operator.rest.post(
      '/cards/v1/cards',
      newCard(account, bank.customer, { status }),
    );
    expect(answered).toBe(201);
  }
  expect(await bank.overview()).toMatchObject({ inactiveCardCount: 1, activeCardCount: 1, frozenCardCount: 0 });
  await bank.operator.rest.post(`/accounts/${account}/close`, { reason: 'CUSTOMER_REQUEST' });
  expect(await bank.overview()).toMatchObject({
    openAccountCount: 0,
    inactiveCardCount: 0,
    activeCardCount: 0,
    frozenCardCount: 0,
  });
});

test('a day is that of each account, and today is that of the zone of most new accounts', async () => {
  const bank = await givenProgram(gateway);
  const [early, late] = ['Pacific/Kiritimati', 'Pacific/Niue'];
  const accounts = [];
  for (const timeZone of [early, late, late]) accounts.push(await bank.open({ timeZone }));
  const at = '2026-03-02T11:30:00.000Z';
  for (const account of accounts.slice(0, 2)) {
    await post(bank, account, [entry({ transactionTimestamp: at, postedTimestamp: at })]);
  }
  const { timeZone, currencies } = await bank.overview();
  const todayThere = new Intl.DateTimeFormat('en-CA', { timeZone: late }).format(new Date());
  expect([timeZone, currencies[0]?.days.at(-1)?.date]).toEqual([late, todayThere]);
  const { rows } = await gateway.sql.query(
    `SELECT date::text, credit_count::int AS count FROM overview_day WHERE program = $1 AND credit_count > 0 ORDER BY date`,
    [bank.program],
  );
  expect(rows).toEqual([
    { date: '2026-03-02', count: 1 },
    { date: '2026-03-03', count: 1 },
  ]);
});

test('what waits for an approval is counted until it is decided', async () => {
  const bank = await givenProgram(gateway);
  await gateway.given.programRecord(bank.program, { approvals: { closingAccounts: true } });
  const account = await bank.open();
  const { body } = await bank.operator.rest.post(
    `/accounts/${account}/close`,
    { reason: 'CUSTOMER_REQUEST' },
    keyed(unique('close')),
  );
  expect((await bank.overview()).waitingApprovalCount).toBe(1);
  await bank.operator.rest.post(`/approvals/${body.approvalId}/reject`, { reason: 'No.' });
  expect((await bank.overview()).waitingApprovalCount).toBe(0);
});

test('while events are being counted, the overview says up to when they are', async () => {
  const bank = await givenProgram(gateway);
  const account = await bank.open();
  expect((await bank.overview()).currencies).toMatchObject([{ deposits: '0.00' }]);
  const other = await gateway.sql.connect();
  await other.query('BEGIN');
  await other.query('SELECT FROM overview_reader FOR UPDATE');
  const { rows } = await other.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await post(bank, account, [ago(0)]);
  await gateway.feedReady();
  const { data } = await bank.operator.graphql<{ readonly programOverview: Overview }>(OVERVIEW);
  await other.query('ROLLBACK');
  other.release();
  const lockedMs = Number(rows[0]?.now);
  expect(Date.parse(String(data.programOverview.asOf))).toBeLessThanOrEqual(lockedMs);
  expect(data.programOverview.currencies).toMatchObject([{ deposits: '0.00' }]);
  const later = await bank.overview();
  expect(Date.parse(String(later.asOf))).toBeGreaterThan(lockedMs);
  expect(later.currencies).toMatchObject([{ deposits: '10.00' }]);
});

test('another program, and whoever may not read its events, sees none of it', async () => {
  const bank = await givenProgram(gateway);
  await post(bank, await bank.open(), [ago(0)]);
  expect((await bank.overview()).currencies).toHaveLength(1);
  const other = await givenProgram(gateway);
  expect((await other.overview()).currencies).toEqual([]);
  const { program, customer } = bank;
  for (const order of [{ scopes: 'accounts.read transactions.read' }, { customerId: customer }]) {
    const client = gateway.as(await gateway.caller({ program, ...order }));
    const { status, body } = await client.rest.get('/overview');
    const { data, errors } = await client.graphql(OVERVIEW);
    const code = 'customerId' in order ? 'program_wide_only' : 'insufficient_scope';
    expect([status, body.code, data]).toEqual([403, code, { programOverview: null }]);
    expect(errors).toMatchObject([{ extensions: { code: code.toUpperCase() } }]);
  }
});

test('what is kept of a program names no account, customer or transaction', async () => {
  const bank = await givenProgram(gateway);
  const account = await bank.open();
  await post(bank, account, [ago(0, { description: 'Quarry Road Fuel', transactionId: 'tx-personal' })]);
  await counted(gateway, bank.program);
  const { rows } = await gateway.sql.query(
    `SELECT to_jsonb(d) AS row FROM overview_day d WHERE program = $1
     UNION ALL SELECT to_jsonb(t) FROM overview_total t WHERE program = $1`,
    [bank.program],
  );
  expect(rows).toHaveLength(2);
  const { text } = await bank.operator.rest.get('/overview');
  for (const personal of [account, bank.customer, 'tx-personal', 'Quarry']) {
    expect([JSON.stringify(rows), text].join()).not.toContain(personal);
  }
});

/** A step of a random day of a bank, with numbers of which each means what the step makes of it. */
const STEP = fc.record({
  kind: fc.constantFrom(
    'open',
    'post',
    'post',
    'post',
    'import',
    'transfer',
    'reverse',
    'hold',
    'card',
    'card',
    'step',
    'step',
    'close',
  ),
  one: fc.nat(1000),
  other: fc.nat(1000),
});
type Step = { readonly kind: string; readonly one: number; readonly other: number };

const ZONES = ['UTC', 'America/New_York', 'Asia/Tokyo'];
const CURRENCIES = ['USD', 'USD', 'EUR', 'JPY'];
const STATUSES = ['POSTED', 'POSTED', 'POSTED', 'PENDING', 'MEMO'] as const;
const STEPS = [
  ['activateCard', ''],
  ['freezeCard', ''],
  ['unfreezeCard', ''],
  ['closeCard', ''],
  ['reportCard', 'loss: STOLEN'],
] as const;
const DIRECTIONS = ['CREDIT', 'CREDIT', 'DEBIT', 'MEMO'] as const;

function pick<Of>(list: readonly Of[], number: number): Of {
  return list[number % list.length] as Of;
}

function randomEntry({ one, other }: Step, index: number): Entry {
  const status = pick(STATUSES, one + index);
  const changes = {
    amount: String(1 + ((one * (index + 3) + other) % 9000)),
    status,
    debitCreditMemo: pick(DIRECTIONS, other + index),
  };
  return ago((one * (index + 1)) % 45, status === 'POSTED' ? changes : { ...changes, postedTimestamp: null });
}

/** Takes a step. What the bank refuses changes nothing, so it is no matter here. */
async function take(bank: Bank, accounts: string[], step: Step): Promise<void> {
  const { operator, customer } = bank;
  const from = pick(accounts, step.one);
  switch (step.kind) {
    case 'open':
      accounts.push(await bank.open({ currency: pick(CURRENCIES, step.one), timeZone: pick(ZONES, step.other) }));
      return;
    case 'post':
      await operator.graphql(POST, {
        account: from,
        transactions: inputsOf(Array.from({ length: 1 + (step.other % 4) }, (_, index) => randomEntry(step, index))),
      });
      return;
    case 'import': {
      const lines = Array.from({ length: 3 }, (_, index) => line(from, randomEntry(step, index)));
      await operator.rest.post('/imports/transactions', { lines: lines.join('\n') }, keyed(unique('import')));
      return;
    }
    case 'transfer': {
      const to = pick(
        accounts.filter(account => account !== from),
        step.other,
      );
      const amount = 1 + (step.one % 50);
      const transfer = { transferId: unique('transfer'), fromAccountId: from, toAccountId: to, amount };
      await operator.rest.post('/transfers', transfer, keyed(unique('key')));
      if (step.one % 3 === 0) {
        await operator.rest.post(`/transfers/${transfer.transferId}/reverse`, { reason: 'Because' });
      }
      return;
    }
    case 'reverse': {
      const { rows } = await gateway.sql.query<{ id: string }>(
        'SELECT transaction_id AS id FROM transaction WHERE account_id = $1 ORDER BY seq DESC LIMIT 1',
        [from],
      );
      const id = rows[0]?.id ?? 'none';
      await operator.rest.post(`/accounts/${from}/transactions/${id}/reverse`, { reason: 'Because' });
      return;
    }
    case 'hold': {
      const hold = newHold({ amount: 1 + step.other });
      await operator.rest.post(`/accounts/${from}/holds`, hold);
      if (step.one % 2 === 0) await operator.rest.post(`/accounts/${from}/holds/${hold.holdId}/capture`, {});
      return;
    }
    case 'card':
      await operator.rest.post(
        '/cards/v1/cards',
        newCard(from, customer, { status: pick(['Active', 'Inactive', 'Frozen', 'Lost'], step.one) }),
      );
      return;
    case 'step': {
      const { rows } = await gateway.sql.query<{ account: string; card: string }>(
        'SELECT account_id AS account, card_id AS card FROM card WHERE account_id = ANY($1) ORDER BY card_id',
        [accounts],
      );
      if (rows.length === 0) return;
      const { account, card } = pick(rows, step.one);
      const [mutation, more] = pick(STEPS, step.other);
      await operator.graphql(
        `mutation ($account: ID!, $card: ID!) { ${mutation}(input: { accountId: $account, cardId: $card ${more} }) { replayed } }`,
        { account, card },
      );
      return;
    }
    default:
      await operator.rest.post(`/accounts/${from}/close`, { reason: 'CUSTOMER_REQUEST' });
  }
}

async function rowsOf(text: string, program: string): Promise<unknown[]> {
  const { rows } = await gateway.sql.query(text, [program]);
  return rows;
}

const KEPT_DAYS = `SELECT currency, date::text, credits_minor::text AS credits, credit_count::int, debits_minor::text AS debits, debit_count::int
  FROM overview_day WHERE program = $1 AND credit_count + debit_count > 0 ORDER BY currency, date`;
const DAYS_OF_LEDGER = `SELECT a.currency, coalesce(t.posted_time, t.transaction_time)::date::text AS date,
    coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = 'CREDIT'), 0)::text AS credits,
    (count(*) FILTER (WHERE t.debit_credit_memo = 'CREDIT'))::int AS credit_count,
    coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = 'DEBIT'), 0)::text AS debits,
    (count(*) FILTER (WHERE t.debit_credit_memo = 'DEBIT'))::int AS debit_count
  FROM account a JOIN transaction t ON t.account_id = a.account_id
  WHERE a.program = $1 AND t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO' GROUP BY 1, 2 ORDER BY 1, 2`;
const KEPT_TOTALS = `SELECT currency, deposits_minor::text AS deposits, open_account_count::int AS open, inactive_card_count::int AS inactive,
    active_card_count::int AS active, frozen_card_count::int AS frozen FROM overview_total WHERE program = $1 ORDER BY currency`;
const TOTALS_OF_ACCOUNTS = `SELECT a.currency, sum(a.balance_minor)::text AS deposits, (count(*) FILTER (WHERE a.status <> 'CLOSED'))::int AS open,
    coalesce(sum(c.inactive), 0)::int AS inactive, coalesce(sum(c.active), 0)::int AS active, coalesce(sum(c.frozen), 0)::int AS frozen
  FROM account a LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'INACTIVE') AS inactive,
      count(*) FILTER (WHERE status = 'ACTIVE') AS active, count(*) FILTER (WHERE status = 'FROZEN') AS frozen
    FROM card WHERE card.account_id = a.account_id) c ON true
  WHERE a.program = $1 GROUP BY 1 ORDER BY 1`;

test('whatever is posted, imported, transferred, reversed and closed, the figures are those of the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 25, maxLength: 40 }), async steps => {
      const bank = await givenProgram(gateway);
      const accounts = [await bank.open(), await bank.open()];
      for (const step of steps) await take(bank, accounts, step);
      await counted(gateway, bank.program);
      const days = await rowsOf(KEPT_DAYS, bank.program);
      expect(days).toEqual(await rowsOf(DAYS_OF_LEDGER, bank.program));
      expect(await rowsOf(KEPT_TOTALS, bank.program)).toEqual(await rowsOf(TOTALS_OF_ACCOUNTS, bank.program));
    }),
    { numRuns: rounds(20, 2), endOnFailure: true },
  );
});
