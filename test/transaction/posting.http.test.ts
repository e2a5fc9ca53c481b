import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isAsElsewhere } from '../support/citus-differences.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { books, entries, entry, expectSound, post, posting, refusal, type Entry } from './support/ledger.js';
import { inputsOf } from '../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Posts what must be refused, and sees that nothing of it was done. */
async function refused(given: { account: string; caller: string }, transactions: readonly object[]) {
  const before = await books(gateway, given.account);
  const told = refusal(await posting(gateway, given, transactions));
  expect(await books(gateway, given.account)).toEqual(before);
  return told;
}

async function events(account: string): Promise<object[]> {
  const { rows } = await gateway.sql.query(
    `SELECT action, program, client_id, subject, object, data FROM event WHERE account_id = $1 AND outcome = 'DONE' ORDER BY id`,
    [account],
  );
  return rows;
}

test('an unknown account, and one of another program, is not there', async () => {
  const given = await gateway.given.account();
  const stranger = await gateway.caller({ program: gateway.given.program() });
  expect(refusal(await posting(gateway, { ...given, caller: stranger }, [entry()])).code).toBe('account_not_found');
  for (const account of ['nothing', 'two words', '\u0000', 'x'.repeat(65)]) {
    expect(refusal(await posting(gateway, { ...given, account }, [entry()])).code).toBe('account_not_found');
  }
  expect((await books(gateway, given.account)).count).toBe(0);
});

test('to a closed account nothing is posted, to a restricted one it is', async () => {
  const closed = await gateway.given.account({ status: 'CLOSED' });
  expect(await refused(closed, [entry()])).toEqual({ status: 200, code: 'account_closed', errors: [] });
  const restricted = await gateway.given.account({ status: 'RESTRICTED' });
  await post(gateway, restricted, [entry()]);
  expect((await expectSound(gateway, restricted.account)).count).toBe(1);
});

test.each([0, 501])('%d transactions in one call are refused', async count => {
  const given = await gateway.given.account();
  expect(await refused(given, entries(count))).toEqual({
    status: 200,
    code: 'rule_broken',
    errors: ['/input/transactions size'],
  });
});

test.each([1, 500])('%d transactions in one call are posted in the order given', async count => {
  const given = await gateway.given.account();
  const ledger = entries(count, index => ({ amount: String(index + 1) }));
  const posted = await post(gateway, given, ledger);
  expect(posted.map(({ transactionId }) => transactionId)).toEqual(ledger.map(({ transactionId }) => transactionId));
  expect(posted.at(-1)?.availableBalance).toBe(`${(count * (count + 1)) / 2}.00`);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count });
});

test('who posted, what and how many is on record, in the same transaction', async () => {
  const given = await gateway.given.account();
  const ledger = entries(5);
  await post(gateway, given, ledger.slice(0, 3));
  await post(gateway, given, ledger.slice(3));
  const ids = ledger.map(({ transactionId }) => transactionId);
  const { program, account } = given;
  const event = (data: object) => ({
    action: 'transaction.post',
    program,
    client_id: 'test-client',
    subject: 'test-client',
    object: `account/${account}`,
    data,
  });
  expect(await events(account)).toEqual([
    event({ transactions: 3, lastSeq: 3, transactionIds: ids.slice(0, 3) }),
    event({ transactions: 2, lastSeq: 5, transactionIds: ids.slice(3) }),
  ]);
});

test('the event of a single booked transaction says what it was, for operators alone', async () => {
  const given = await gateway.given.account();
  const fee = entry({ amount: '4.50', debitCreditMemo: 'DEBIT', transactionType: 'FEE' });
  const refund = entry({
    amount: '2.50',
    debitCreditMemo: 'CREDIT',
    transactionType: 'REFUND',
    referenceTransactionId: fee.transactionId,
  });
  const pending = entry({ status: 'PENDING' });
  for (const one of [fee, refund, pending]) await post(gateway, given, [one]);
  const posted = (await events(given.account)).map(event => (event as { data: object }).data);
  expect(posted).toEqual([
    expect.objectContaining({
      amount: '4.50',
      currency: 'USD',
      direction: 'DEBIT',
      transactionType: 'FEE',
      referenceTransactionId: null,
    }),
    expect.objectContaining({
      amount: '2.50',
      currency: 'USD',
      direction: 'CREDIT',
      transactionType: 'REFUND',
      referenceTransactionId: fee.transactionId,
    }),
    { transactions: 1, lastSeq: 3, transactionIds: [pending.transactionId] },
  ]);
  await gateway.feedReady();
  const feed = await gateway.as(given.caller).rest.get('/events?types=transaction.posted');
  expect(feed.body.events.map(({ data }: { data: object }) => 'amount' in data)).toEqual([false, false, false]);
});

test('the same request under one key posts once, and is answered alike', async () => {
  const given = await gateway.given.account();
  const key = keyed(unique('key'));
  const ledger = entries(3);
  const first = await posting(gateway, given, ledger, key);
  const again = await posting(gateway, given, ledger, key);
  expect(again.data).toEqual(first.data);
  expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 3, balance: '3000' });
  expect(await events(given.account)).toHaveLength(1);
});

test('a key with other transactions, or for another account, is refused', async () => {
  const given = await gateway.given.account();
  const other = await gateway.given.account({ program: given.program });
  const key = keyed(unique('key'));
  const ledger = entries(2);
  await posting(gateway, given, ledger, key);
  const [first, second] = ledger as [Entry, Entry];
  for (const changed of [[second, first], [first], [first, { ...second, amount: '11' }]]) {
    expect(refusal(await posting(gateway, given, changed, key)).code).toBe('idempotency_key_reused');
  }
  if (isAsElsewhere('keyOfAnotherAccount')) {
    expect(refusal(await posting(gateway, other, ledger, key)).code).toBe('idempotency_key_reused');
  }
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2 });
  expect(await expectSound(gateway, other.account)).toMatchObject({ count: 0 });
});

test('a broken rule is not remembered under its key, and nothing of it stays: the corrected call may carry the key', async () => {
  const given = await gateway.given.account();
  const key = keyed(unique('key'));
  const [first, second] = [entry(), entry({ availableBalance: '5' })];
  const wrong = await posting(gateway, given, [first, second], key);
  expect(refusal(wrong).errors).toEqual(['/input/transactions/1/balanceAfter balance_contradiction']);
  expect((await books(gateway, given.account)).count).toBe(0);
  const corrected = () => posting(gateway, given, [first, { ...second, availableBalance: '20' }], key);
  const [done, again] = [await corrected(), await corrected()];
  expect([done, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  expect(again.data).toEqual(done.data);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2 });
});

test('a transaction that differs from the one on the ledger stays refused under its key', async () => {
  const given = await gateway.given.account();
  const key = keyed(unique('key'));
  const [posted] = [entry()];
  await posting(gateway, given, [posted]);
  const differs = () => posting(gateway, given, [{ ...posted, amount: '11' }], key);
  const [first, again] = [await differs(), await differs()];
  expect(refusal(first)).toEqual({
    status: 200,
    code: 'transaction_mismatch',
    errors: ['/input/transactions/0/transactionId different_transaction'],
  });
  expect([refusal(again), again.headers['idempotent-replayed']]).toEqual([refusal(first), 'true']);
});

test('each of several postings in one operation has a key of its own', async () => {
  const one = await gateway.given.account();
  const two = await gateway.given.account({ program: one.program });
  const query = `mutation ($one: ID!, $two: ID!, $transactions: [TransactionInput!]!) {
    a: postAccountTransactions(input: { accountId: $one, transactions: $transactions }) { transactions { availableBalance: balanceAfter } }
    b: postAccountTransactions(input: { accountId: $two, transactions: $transactions }) { transactions { availableBalance: balanceAfter } } }`;
  const key = keyed(unique('key'));
  const variables = { one: one.account, two: two.account, transactions: inputsOf(entries(2)) };
  const first = await gateway.as(one.caller).graphql(query, variables, { headers: key });
  const again = await gateway.as(one.caller).graphql(query, variables, { headers: key });
  expect(again.data).toEqual(first.data);
  for (const { account } of [one, two]) expect(await expectSound(gateway, account)).toMatchObject({ count: 2 });
});

test('all are posted or none: one that is wrong stops those before it', async () => {
  const given = await gateway.given.account();
  await post(gateway, given, [entry({ transactionId: 'taken', amount: '1' })]);
  const wrong: [Partial<Entry>, string, string[]][] = [
    [
      { transactionId: 'taken', amount: '2' },
      'transaction_mismatch',
      ['/input/transactions/2/transactionId different_transaction'],
    ],
    [{ availableBalance: '99' }, 'rule_broken', ['/input/transactions/2/balanceAfter balance_contradiction']],
    [{ amount: '1.001' }, 'rule_broken', ['/input/transactions/2/amount currency_digits']],
    [{ postedTimestamp: null }, 'rule_broken', ['/input/transactions/2/postedAt required']],
  ];
  for (const [changes, code, errors] of wrong) {
    expect(await refused(given, [entry(), entry(), entry(changes), entry()])).toEqual({ status: 200, code, errors });
  }
});

test('all bad amounts of a call are told at once', async () => {
  const given = await gateway.given.account();
  const bad = [entry({ amount: '-1' }), entry(), entry({ amount: '0.001' }), entry({ amount: '10000000000000.01' })];
  expect((await refused(given, bad)).errors).toEqual([
    '/input/transactions/0/amount range',
    '/input/transactions/2/amount currency_digits',
    '/input/transactions/3/amount range',
  ]);
});

test('a transaction that is on the ledger is given back as it stands, also beside new ones', async () => {
  const given = await gateway.given.account();
  const whole = entry({
    referenceTransactionId: 'r',
    reference: 'ref',
    description: 'd',
    memo: 'm',
    amount: '7.5',
    transactionTimestamp: '2026-03-02T15:00:00.123Z',
    additionalInformation: [
      {
        key: 'usage',
        value: 'FEES',
      },
    ],
    lineItem: [
      {
        description: 'x',
        reference: null,
        imageIds: ['i'],
      },
    ],
  });
  const [first] = await post(gateway, given, [whole]);
  await post(gateway, given, entries(2));
  // The same facts in another notation are the same transaction.
  const same = {
    ...whole,
    amount: '7.50',
    transactionTimestamp: '2026-03-02T16:00:00.1239+01:00',
    lineItem: [
      {
        description: 'x',
        imageIds: ['i'],
      },
    ],
    availableBalance: '7.5000',
  };
  const answer = await post(gateway, given, [entry({ transactionId: 'new' }), same, entry({ transactionId: 'newer' })]);
  expect(answer.map(({ transactionId }) => transactionId)).toEqual(['new', whole.transactionId, 'newer']);
  expect(answer[1]).toEqual(first);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 5 });
});

test('one id twice in a call is one transaction if it says the same, and refused if not', async () => {
  const given = await gateway.given.account();
  const twice = entry();
  const answer = await post(gateway, given, [twice, entry(), twice]);
  expect(answer[2]).toEqual(answer[0]);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2 });
  const other = entry();
  expect(await refused(given, [other, { ...other, memo: 'other' }])).toMatchObject({ code: 'transaction_mismatch' });
});

test.each<[string, Partial<Entry>]>([
  ['amount', { amount: '10.01' }],
  ['direction', { debitCreditMemo: 'DEBIT' }],
  ['status', { status: 'PENDING' }],
  ['category', { category: 'OTHER' }],
  ['type', { transactionType: 'FEE' }],
  ['description', { description: 'd' }],
  ['memo', { memo: 'm' }],
  ['time', { transactionTimestamp: '2026-03-02T15:00:00.001Z' }],
  ['posted time', { postedTimestamp: '2026-03-02T16:00:01Z' }],
  ['reference', { reference: 'r' }],
  ['referenced transaction', { referenceTransactionId: 'r' }],
  ['additional information', { additionalInformation: [{ key: 'k', value: 'v' }] }],
  ['lines', { lineItem: [{}] }],
])('another %s under a known id is refused', async (_what, changes) => {
  const given = await gateway.given.account();
  const known = entry();
  await post(gateway, given, [known]);
  expect(await refused(given, [{ ...known, ...changes }])).toEqual({
    status: 200,
    code: 'transaction_mismatch',
    errors: ['/input/transactions/0/transactionId different_transaction'],
  });
});

test('a balance that is given is checked, of new transactions and of known ones', async () => {
  const given = await gateway.given.account();
  const [one, two] = entries(2, index => ({ availableBalance: String((index + 1) * 10) })) as [Entry, Entry];
  await post(gateway, given, [one, two]);
  await post(gateway, given, [one, two]);
  expect(await refused(given, [{ ...one, availableBalance: '20' }])).toMatchObject({
    errors: ['/input/transactions/0/balanceAfter balance_contradiction'],
  });
  expect(await refused(given, [entry({ availableBalance: '29.99' })])).toMatchObject({ code: 'rule_broken' });
  expect(await refused(given, [entry({ availableBalance: '30.001' })])).toMatchObject({ code: 'rule_broken' });
  await post(gateway, given, [entry({ amount: '50', debitCreditMemo: 'DEBIT', availableBalance: '-30.00' })]);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 3, balance: '-3000' });
});

test.each([
  ['JPY', '0.5', '1000000000000000', '1000000000000001'],
  ['USD', '0.001', '10000000000000.00', '10000000000000.01'],
  ['BHD', '0.0001', '1000000000000', '1000000000000.001'],
])(
  '%s: no more digits than the currency has, and no more than 10^15 minor units',
  async (currency, fine, most, more) => {
    const given = await gateway.given.account({ currency });
    expect((await refused(given, [entry({ amount: fine })])).errors).toEqual([
      '/input/transactions/0/amount currency_digits',
    ]);
    expect((await refused(given, [entry({ amount: more })])).errors).toEqual(['/input/transactions/0/amount range']);
    expect((await refused(given, [entry({ amount: '-1' })])).errors).toEqual(['/input/transactions/0/amount range']);
    await post(gateway, given, [
      entry({ amount: most }),
      entry({ amount: most, debitCreditMemo: 'DEBIT' }),
      entry({ amount: '0' }),
      entry({ amount: '1.0000' }),
    ]);
    expect(await expectSound(gateway, given.account)).toMatchObject({ count: 4 });
  },
);

test('only what is posted moves the balance, and a memo never does', async () => {
  const given = await gateway.given.account();
  const pending = entry({ status: 'PENDING', postedTimestamp: undefined, amount: '40', transactionId: 'announced' });
  const posted = await post(gateway, given, [
    entry({ amount: '100' }),
    pending,
    entry({ status: 'AUTHORIZATION', debitCreditMemo: 'DEBIT', amount: '70', postedTimestamp: undefined }),
    entry({ status: 'MEMO', amount: '3' }),
    entry({ debitCreditMemo: 'MEMO', amount: '5' }),
    entry({ amount: '40', referenceTransactionId: 'announced' }),
    entry({ amount: '30', debitCreditMemo: 'DEBIT' }),
  ]);
  expect(posted.map(({ availableBalance }) => availableBalance)).toEqual([
    '100.00',
    '100.00',
    '100.00',
    '100.00',
    '100.00',
    '140.00',
    '110.00',
  ]);
  expect(posted[5]).toMatchObject({ referenceTransactionId: 'announced', status: 'POSTED' });
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 7, balance: '11000' });
  const { data } = await gateway
    .as(given.caller)
    .graphql('query ($id: ID!) { account(accountId: $id) { availableBalance } }', { id: given.account });
  expect(data.account.availableBalance).toBe('110.00');
});

test.each<[string, object, string]>([
  ['a year before there were calendars', { transactionTimestamp: '0000-01-01T00:00:00Z' }, 'transactedAt wrong_type'],
  [
    'a time that a zone moves out of the calendar',
    { postedTimestamp: '9999-12-31T23:59:59-23:59' },
    'postedAt wrong_type',
  ],
  ['a mistyped century', { postedTimestamp: '0202-01-01T00:00:00Z' }, 'postedAt format'],
  ['30 February', { postedTimestamp: '2026-02-30T00:00:00Z' }, 'postedAt wrong_type'],
  ['an image id with a NUL', { lineItem: [{ imageIds: ['a\u0000'] }] }, 'lineItems/0/imageIds/0 format'],
  ['half of a character', { lineItem: [{ imageIds: ['a\ud800'] }] }, 'lineItems/0/imageIds/0 format'],
  ['an image id without an end', { lineItem: [{ imageIds: ['x'.repeat(201)] }] }, 'lineItems/0/imageIds/0 format'],
  ['51 lines', { lineItem: Array.from({ length: 51 }, () => ({})) }, 'lineItems size'],
  ['a line break in a memo', { memo: 'a\nb' }, 'memo text'],
  ['a category of two words', { category: 'A B' }, 'category format'],
  ['an id with a space', { transactionId: 'a b' }, 'transactionId format'],
  ['an id of 65 characters', { transactionId: 'x'.repeat(65) }, 'transactionId format'],
  ['no id', { transactionId: '' }, 'transactionId format'],
  ['a field that nobody knows', { colour: 'red' }, 'colour unknown_field'],
  ['an amount as a number of 16 digits', { amount: 12345678901234.56 }, 'amount wrong_type'],
  ['an amount with an exponent', { amount: '1e1' }, 'amount wrong_type'],
  ['an unknown status', { status: 'DONE' }, 'status wrong_type'],
])('%s is refused with its place', async (_what, changes, problem) => {
  const given = await gateway.given.account();
  const told = await refused(given, [entry(), { ...entry(), ...changes }]);
  expect(told.errors).toEqual([`/input/transactions/1/${problem}`]);
});

test('what was sent is never said again, in variables or in the document', async () => {
  const given = await gateway.given.account();
  const SECRET = 'x9secret';
  const bad = {
    ...entry(),
    amount: SECRET,
    status: SECRET,
    transactionTimestamp: SECRET,
    memo: `${SECRET}\n`,
  };
  const answer = await posting(gateway, given, [bad, SECRET as unknown as object]);
  expect(answer.status).toBe(400);
  expect(answer.text).not.toContain(SECRET);

  const literals = (
    changes: string,
  ) => `mutation { postAccountTransactions(input: { accountId: "${given.account}", transactions: [{ transactionId: "a", amount: "1",
    direction: CREDIT, category: "ACH", transactionType: "FEE", status: PENDING, transactedAt: "2026-03-02T15:00:00Z", ${changes} }] }) { transactions { amount } } }`;
  const documents = [
    `memo: "${SECRET}\\n"`,
    `colour: "${SECRET}"`,
    `balanceAfter: "${SECRET}"`,
    `postedAt: "${SECRET}"`,
  ];
  for (const changes of [
    ...documents,
    `lineItems: [{ reference: ${SECRET} }]`,
    `referenceTransactionId: "a ${SECRET}"`,
  ]) {
    const { text, errors } = await gateway.as(given.caller).graphql(literals(changes));
    expect(errors?.length).toBeGreaterThan(0);
    expect(text).not.toContain(SECRET);
  }
  expect((await books(gateway, given.account)).count).toBe(0);
  expect((await gateway.as(given.caller).graphql(literals('memo: "fine"'))).errors).toBeUndefined();
});

test.each([
  ['CREDIT', ''],
  ['DEBIT', '-'],
] as const)('a balance has 18 digits at most over every API: a %s beyond is refused', async (debitCreditMemo, sign) => {
  const balanceMinor = BigInt(`${sign}999000000000000000`);
  const given = await gateway.given.account({ currency: 'JPY', balanceMinor });
  const most = entry({ amount: '1000000000000000', debitCreditMemo });
  expect(await refused(given, [most])).toEqual({
    status: 200,
    code: 'rule_broken',
    errors: ['/input/transactions/0/amount balance_range'],
  });
  const [last] = await post(gateway, given, [entry({ amount: '999999999999999', debitCreditMemo })]);
  expect(last?.availableBalance).toBe(`${sign}999999999999999999`);
  const { text } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/transactions`);
  expect(text).toContain(`"availableBalance":${sign}999999999999999999,`);
  const { data } = await gateway
    .as(given.caller)
    .graphql(
      'query ($id: ID!) { account(accountId: $id) { availableBalance transactions { nodes { availableBalance: balanceAfter } } } }',
      {
        id: given.account,
      },
    );
  expect(data.account.availableBalance).toBe(last?.availableBalance);
  expect(data.account.transactions.nodes).toEqual([{ availableBalance: last?.availableBalance }]);
});
