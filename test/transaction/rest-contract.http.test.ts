import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { connection, entry, idsOf, post, postSome, restPages } from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('a transaction has every field of the contract and no other, amounts as numbers with all their digits', async () => {
  const given = await gateway.given.account();
  const whole = entry({
    transactionId: 'whole',
    referenceTransactionId: 'earlier',
    reference: '3c5b6a39-1c1b-4a5e-8a0e-1f2d3c4b5a69',
    amount: '1250.5',
    description: 'Wages "March"',
    memo: 'Zürich — 月',
    transactionTimestamp: '2026-03-01T10:20:30.45Z',
    postedTimestamp: '2026-03-02T05:00:00+01:00',
    additionalInformation: [
      {
        key: 'usage',
        value: 'MONETARY',
      },
      {
        key: 'direction',
        value: 'RECEIVING',
      },
    ],
    lineItem: [
      {
        description: 'Base pay',
        reference: 'L1',
        imageIds: ['i1', 'i2'],
      },
      {},
    ],
  });
  await post(gateway, given, [whole]);

  const { status, headers, body, text } = await gateway
    .as(given.caller)
    .rest.get(`/accounts/${given.account}/transactions`);
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(Object.keys(body)).toEqual(['page', 'links', 'transactions']);
  expect(Object.keys(body.transactions[0])).toEqual(['depositTransaction']);
  expect(Object.keys(body.transactions[0].depositTransaction)).toEqual([
    'transactionId',
    'referenceTransactionId',
    'reference',
    'accountId',
    'amount',
    'availableBalance',
    'debitCreditMemo',
    'category',
    'transactionType',
    'status',
    'description',
    'memo',
    'transactionTime',
    'transactionTimestamp',
    'postedTime',
    'postedTimestamp',
    'additionalInformation',
    'lineItem',
    'imageIds',
    'fiAttributes',
    'links',
  ]);
  expect(body).toEqual({
    page: { totalElements: 1 },
    links: {},
    transactions: [
      {
        depositTransaction: {
          ...whole,
          accountId: given.account,
          amount: 1250.5,
          availableBalance: 1250.5,
          transactionTime: '2026-03-01T05:20:30',
          transactionTimestamp: '2026-03-01T10:20:30.450Z',
          postedTime: '2026-03-01T23:00:00',
          postedTimestamp: '2026-03-02T04:00:00.000Z',
          lineItem: [
            {
              description: 'Base pay',
              reference: 'L1',
              imageIds: ['i1', 'i2'],
              links: [],
            },
            {
              description: '',
              reference: '',
              imageIds: [],
              links: [],
            },
          ],
          imageIds: [],
          fiAttributes: [],
          links: [],
        },
      },
    ],
  });
  expect(text).toContain('"amount":1250.50,"availableBalance":1250.50,');
});

test('texts arrive as they were given, whatever is in them', async () => {
  const given = await gateway.given.account({ accountId: unique('"\\a') });
  const free = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '/', '<', "'", '}', ',', 'é', '月', '👍🏽'),
    minLength: 1,
    maxLength: 12,
  });
  const texts = fc.sample(fc.record({ description: free, memo: free, key: free, value: free }), 60);
  const posted = texts.map(({ description, memo, key, value }, index) =>
    entry({
      transactionId: `"\\t${index}`,
      referenceTransactionId: '"\\',
      reference: description,
      description,
      memo,
      additionalInformation: [
        {
          key,
          value,
        },
      ],
      lineItem: [
        {
          description,
          reference: memo,
          imageIds: [],
        },
      ],
    }),
  );
  await post(gateway, given, posted);
  const [page] = await restPages(gateway, given, 'limit=100');
  const shown = page.transactions.map(({ depositTransaction }) => depositTransaction);
  const links: string[] = [];
  expect(shown).toMatchObject(
    texts.toReversed().map(({ description, memo, key, value }, index) => ({
      accountId: given.account,
      transactionId: `"\\t${texts.length - 1 - index}`,
      referenceTransactionId: '"\\',
      reference: description,
      description,
      memo,
      additionalInformation: [
        {
          key,
          value,
        },
      ],
      lineItem: [
        {
          description,
          reference: memo,
          imageIds: [],
          links,
        },
      ],
    })),
  );
});

test('what a transaction does not have is empty, and the keys stay', async () => {
  const given = await gateway.given.account();
  await post(gateway, given, [entry({ status: 'PENDING', postedTimestamp: undefined })]);
  const [page] = await restPages(gateway, given);
  const { depositTransaction = {} } = page.transactions[0] ?? {};
  expect(Object.keys(depositTransaction)).toHaveLength(21);
  expect(depositTransaction).toMatchObject({
    referenceTransactionId: '',
    reference: '',
    description: '',
    memo: '',
    postedTime: '',
    postedTimestamp: '',
    additionalInformation: [],
    lineItem: [],
  });
});

test('an account without transactions has an empty page', async () => {
  const given = await gateway.given.account();
  expect(await restPages(gateway, given)).toEqual([{ page: { totalElements: 0 }, links: {}, transactions: [] }]);
  expect(await restPages(gateway, given, 'offSet=7&category=ACH')).toEqual([
    { page: { totalElements: 0 }, links: {}, transactions: [] },
  ]);
});

test('links lead from the newest transaction to the oldest, ten at a time', async () => {
  const given = await gateway.given.account();
  const posted = await postSome(gateway, given, 25);
  const pages = await restPages(gateway, given);
  expect(idsOf(...pages)).toEqual([...posted].reverse());
  expect(pages.map(({ page }) => page)).toEqual([
    { nextOffset: 10, totalElements: 25 },
    { nextOffset: 20, totalElements: 25 },
    { totalElements: 25 },
  ]);
  expect(pages[2]?.links).toEqual({});

  const { next } = pages[0].links;
  expect(next).toEqual({ href: expect.stringMatching(/^\/accounts\//) });
  const { pathname, searchParams } = new URL(next?.href ?? '', 'http://gateway.example');
  expect(pathname).toBe(`/accounts/${given.account}/transactions`);
  expect(Object.fromEntries(searchParams)).toEqual({ offSet: '10', limit: '10', snapshot: '25' });
});

test('a list whose length is a multiple of the page ends with a full page', async () => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 20);
  const pages = await restPages(gateway, given);
  expect(pages.map(page => page.transactions.length)).toEqual([10, 10]);
  expect(pages[1]).toMatchObject({ page: { totalElements: 20 }, links: {} });
});

test('more than a hundred means a hundred, and the next link says so', async () => {
  const given = await gateway.given.account();
  const posted = await postSome(gateway, given, 201);
  const pages = await restPages(gateway, given, 'limit=5000&debitCreditMemo=CREDIT');
  expect(pages.map(page => page.transactions.length)).toEqual([100, 100, 1]);
  expect(pages[0].links.next?.href).toContain('limit=100&');
  expect(idsOf(...pages)).toEqual([...posted].reverse());
});

test('the next link carries every filter as it was given', async () => {
  const given = await gateway.given.account();
  await post(
    gateway,
    given,
    ['ACH', 'WIRE', 'ACH', 'CARD'].map(category => entry({ category, memo: '100% a&b=c+d é' })),
  );
  const filters: [string, string][] = [
    ['category', 'ACH,CARD'],
    ['category', 'OTHER'],
    ['transactionType', 'DIRECTDEPOSIT'],
    ['status', 'POSTED'],
    ['debitCreditMemo', 'CREDIT'],
    ['minAmount', '1.00'],
    ['maxAmount', '20'],
    ['startTime', '2026-03-01'],
    ['endTime', '2026-03-31T00:00:00Z'],
    ['search', '% a&b=c+d é'],
  ];
  const query = new URLSearchParams([['limit', '1'], ...filters]);
  const pages = await restPages(gateway, given, query.toString());
  expect(pages.map(({ page }) => page.totalElements)).toEqual([3, 3, 3]);
  expect(pages.map(page => page.transactions.length)).toEqual([1, 1, 1]);
  const next = new URL(pages[0].links.next?.href ?? '', 'http://gateway.example').searchParams;
  expect([...next]).toEqual([['offSet', '1'], ['limit', '1'], ['snapshot', '4'], ...filters]);
});

test('offset is another name of offSet, and a page beyond the end is empty', async () => {
  const given = await gateway.given.account();
  const [oldest] = await postSome(gateway, given, 3);
  for (const query of ['offSet=2', 'offset=2', 'offset=2&minAmount=10']) {
    expect(idsOf(...(await restPages(gateway, given, query)))).toEqual([oldest]);
  }
  for (const query of ['offSet=3', 'offSet=2147483647&limit=100', 'offSet=3&minAmount=1']) {
    expect(await restPages(gateway, given, query)).toEqual([
      { page: { totalElements: 3 }, links: {}, transactions: [] },
    ]);
  }
});

test('a snapshot beyond the ledger is the ledger, and one of nothing is empty', async () => {
  const given = await gateway.given.account();
  const posted = await postSome(gateway, given, 3);
  const [page] = await restPages(gateway, given, 'snapshot=999999999999999&limit=2');
  expect(page.page).toEqual({ nextOffset: 2, totalElements: 3 });
  expect(idsOf(...(await restPages(gateway, given, 'snapshot=2')))).toEqual([posted[1], posted[0]]);
  expect(await restPages(gateway, given, 'snapshot=0')).toEqual([
    { page: { totalElements: 0 }, links: {}, transactions: [] },
  ]);
});

test.each([
  ['America/New_York', '2026-03-08T06:59:59.999Z', '2026-03-08T01:59:59'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00:00'],
  ['America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01T01:30:00'],
  ['America/New_York', '2026-11-01T06:30:00.000Z', '2026-11-01T01:30:00'],
  ['Asia/Kolkata', '2026-01-31T18:29:59.999Z', '2026-01-31T23:59:59'],
  ['Asia/Kolkata', '2026-01-31T18:30:00.000Z', '2026-02-01T00:00:00'],
  ['Asia/Kathmandu', '2025-12-31T18:15:00.000Z', '2026-01-01T00:00:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00.000Z', '2026-04-05T01:45:00'],
  ['Pacific/Kiritimati', '2026-02-28T10:00:00.000Z', '2026-03-01T00:00:00'],
  ['Pacific/Pago_Pago', '2024-03-01T10:59:59.000Z', '2024-02-29T23:59:59'],
  ['America/Havana', '2026-11-01T05:30:00.000Z', '2026-11-01T00:30:00'],
  ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31T23:59:59'],
  ['Europe/Berlin', '1969-12-31T22:59:59.500Z', '1969-12-31T23:59:59'],
])('on the clock of %s, %s is %s', async (timeZone, instant, local) => {
  const given = await gateway.given.account({ timeZone });
  const [posted] = await post(gateway, given, [entry({ transactionTimestamp: instant, postedTimestamp: instant })]);
  const expected = {
    transactionTime: local,
    transactionTimestamp: instant,
    postedTime: local,
    postedTimestamp: instant,
  };
  expect(posted).toMatchObject(expected);
  const [page] = await restPages(gateway, given);
  expect(page.transactions[0]?.depositTransaction).toMatchObject(expected);
  const { data } = await gateway
    .as(given.caller)
    .graphql(
      `query ($id: ID!) { account(accountId: $id) { transactions { nodes { transactionTime: transactedAtLocal transactionTimestamp: transactedAt postedTime: postedAtLocal postedTimestamp: postedAt } } } }`,
      { id: given.account },
    );
  expect(data.account.transactions.nodes).toEqual([expected]);
});

// The years to come of these are in dispute between releases of the time zone database.
test.each(['America/Edmonton', 'Africa/Casablanca', 'Asia/Gaza', 'America/Vancouver', 'Europe/Dublin'])(
  'the answer of a posting and the history read one clock: %s',
  async timeZone => {
    const given = await gateway.given.account({ timeZone });
    const years = [1851, 1916, 1985, 2010, 2026, 2027, 2032, 2045, 2075, 2099];
    const rows = years.flatMap(year =>
      ['02-10', '04-20', '08-15', '12-03'].map(day => entry({ postedTimestamp: `${year}-${day}T09:59:59.999Z` })),
    );
    const posted = await post(gateway, given, rows);
    const pages = await restPages(gateway, given, 'limit=100');
    const read = pages.flatMap(({ transactions }) =>
      transactions.map(({ depositTransaction }) => depositTransaction.postedTime),
    );
    expect(posted.map(({ postedTime }) => postedTime)).toEqual(read.reverse());
  },
);

test('an account that the caller may not see has no transactions, whoever owns it', async () => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 1);
  const { customer: stranger } = await gateway.given.customer({ program: given.program });
  const callers = {
    foreign: await gateway.caller({ program: gateway.given.program() }),
    stranger: await gateway.caller({ program: given.program, customerId: stranger }),
  };
  for (const caller of Object.values(callers)) {
    const { status, body } = await gateway.as(caller).rest.get(`/accounts/${given.account}/transactions`);
    expect([status, body.code]).toEqual([404, 'account_not_found']);
  }
  for (const id of ['nothing', 'a%20b', 'x'.repeat(65), '%00']) {
    const { status, body } = await gateway.as(given.caller).rest.get(`/accounts/${id}/transactions`);
    expect([status, body.code]).toEqual([404, 'account_not_found']);
  }
});

test('an owner sees the history of the account', async () => {
  const given = await gateway.given.account();
  const [id] = await postSome(gateway, given, 1);
  const caller = await gateway.caller({ program: given.program, customerId: given.owners[0] as string });
  expect(idsOf(...(await restPages(gateway, { ...given, caller })))).toEqual([id]);
  expect((await connection(gateway, { ...given, caller }, {})).ids).toEqual([id]);
});

test('an account id with signs of its own comes back encoded in the link', async () => {
  const accountId = `a/b?c#d%25&${gateway.given.program()}`;
  const given = await gateway.given.account({ accountId });
  const posted = await postSome(gateway, given, 3);
  const pages = await restPages(gateway, { ...given, account: encodeURIComponent(accountId) }, 'limit=2');
  expect(idsOf(...pages)).toEqual([...posted].reverse());
  expect(pages[0].transactions[0]?.depositTransaction.accountId).toBe(accountId);
});
