import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RecordOutcome } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  books,
  entries,
  entry,
  expectSound,
  idsOf,
  importing,
  line,
  post,
  postSome,
  restPages,
  type Entry,
} from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const all = (outcome: string, count: number): string[] => Array.from({ length: count }, () => outcome);

test('lines of several accounts in any order become the ledgers of those accounts, in the order of the file', async () => {
  const program = gateway.given.program();
  const accounts: string[] = [];
  for (const currency of ['USD', 'JPY', 'BHD']) {
    accounts.push((await gateway.given.account({ program, currency })).account);
  }
  const rows = entries(60, index => ({ transactionId: `n${index}`, amount: String(index) }));
  const lines = rows.map((row, index) => line(accounts[(index * 7) % 3] as string, row));
  expect(await importing(gateway, program, lines)).toEqual(all('new', 60));
  for (const [number, account] of accounts.entries()) {
    const caller = await gateway.caller({ program });
    const expected = rows.filter((_, index) => (index * 7) % 3 === number).map(({ transactionId }) => transactionId);
    expect(idsOf(...(await restPages(gateway, { account, caller }, 'limit=100'))).reverse()).toEqual(expected);
    expect(await expectSound(gateway, account)).toMatchObject({ count: 20 });
  }
});

test('a file that was imported changes nothing when it is imported again, with what has come in since', async () => {
  const given = await gateway.given.account();
  const lines = entries(50, index => ({ debitCreditMemo: index % 3 ? 'CREDIT' : 'DEBIT' })).map(row =>
    line(given.account, row),
  );
  expect(await importing(gateway, given.program, lines)).toEqual(all('new', 50));
  expect(await importing(gateway, given.program, lines)).toEqual(all('unchanged', 50));
  await postSome(gateway, given, 3);
  expect(await importing(gateway, given.program, [...lines].reverse())).toEqual(all('unchanged', 50));
  expect(await importing(gateway, given.program, [...lines, line(given.account, entry())])).toEqual([
    ...all('unchanged', 50),
    'new',
  ]);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 54 });
});

// A batch of 50 lines or more is copied. Nothing here may be refused if a backslash is lost on the way: such a batch
// would be written line by line.
test.each([5, 60])('what REST shows of %i transactions can be imported elsewhere as it is, and again', async count => {
  const given = await gateway.given.account({ timeZone: 'Asia/Kolkata' });
  const rows = entries(count, index => ({
    referenceTransactionId: 'r',
    reference: 'ref',
    description: `"${index}"\t`.trim(),
    memo: index === 1 ? '\\N' : 'back\\slash \\N é 月',
    additionalInformation: [
      {
        key: 'usage',
        value: 'FEES',
      },
    ],
    lineItem: [
      {
        description: 'x\\n',
        reference: null,
        imageIds: ['i\\n1', 'ü'],
      },
      {},
    ],
    ...(index === 3 && {
      status: 'PENDING',
      postedTimestamp: undefined,
    }),
  }));
  for (let from = 0; from < count; from += 30) await post(gateway, given, rows.slice(from, from + 30));
  const twin = await gateway.given.account({ program: given.program, timeZone: 'Asia/Kolkata' });
  const shown = async (account: string) => {
    const pages = await restPages(gateway, { ...given, account });
    return pages
      .flatMap(({ transactions }) => transactions)
      .toReversed()
      .map(({ depositTransaction }) => ({ depositTransaction: { ...depositTransaction, accountId: twin.account } }));
  };
  const records = await shown(given.account);
  const lines = records.map(record => JSON.stringify(record));
  expect(await importing(gateway, given.program, lines)).toEqual(all('new', count));
  expect(await importing(gateway, given.program, lines)).toEqual(all('unchanged', count));
  expect(await shown(twin.account)).toEqual(records);
});

test('what was posted and what is imported are one ledger: the same record is unchanged either way', async () => {
  const given = await gateway.given.account();
  const row = entry({ amount: '7.50', lineItem: [{ description: 'x' }], additionalInformation: [] });
  await post(gateway, given, [row]);
  expect(await importing(gateway, given.program, [line(given.account, row)])).toEqual(['unchanged']);
  const other = entry({ amount: '1.5', postedTimestamp: '2026-03-02T17:00:00+01:00' });
  expect(await importing(gateway, given.program, [line(given.account, other)])).toEqual(['new']);
  const [again] = await post(gateway, given, [{ ...other, amount: '1.50', postedTimestamp: '2026-03-02T16:00:00Z' }]);
  expect(again).toMatchObject({ transactionId: other.transactionId, availableBalance: '9.00' });
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2 });
});

test.each<[string, Partial<Entry> | ((text: string) => string), RecordOutcome]>([
  ['broken JSON', text => text.slice(0, -1), 'not_json'],
  ['bytes after the record', text => `${text}{}`, 'not_json'],
  ['a list', () => '[]', [' wrong_type']],
  ['nothing in it', () => '{}', ['/depositTransaction required']],
  ['no account', text => text.replace(/"accountId":"[^"]*",/, ''), ['/depositTransaction/accountId required']],
  ['an unknown account', text => text.replace(/"accountId":"/, '"accountId":"un'), 'account_not_found'],
  ['an unknown field', { colour: 'red' }, ['/depositTransaction/colour unknown_field']],
  [
    'an amount as a text',
    text => text.replace('"amount":10', '"amount":"10"'),
    ['/depositTransaction/amount wrong_type'],
  ],
  ['no amount', text => text.replace(',"amount":10', ''), ['/depositTransaction/amount required']],
  ['a negative amount', { amount: '-10' }, ['/depositTransaction/amount range']],
  ['too many digits', { amount: '10.001' }, ['/depositTransaction/amount currency_digits']],
  ['an amount below the smallest unit', { amount: '1e-7' }, ['/depositTransaction/amount currency_digits']],
  ['an amount beyond 10^15 minor units', { amount: '10000000000000.01' }, ['/depositTransaction/amount range']],
  ['an amount beyond every number', { amount: '1e21' }, ['/depositTransaction/amount currency_digits']],
  ['an amount beyond every binary number', { amount: '1e400' }, ['/depositTransaction/amount wrong_type']],
  ['another balance', { availableBalance: '21' }, ['/depositTransaction/availableBalance balance_contradiction']],
  [
    'another balance by less than a unit',
    { availableBalance: '20.004' },
    ['/depositTransaction/availableBalance balance_contradiction'],
  ],
  ['posted without a time', { postedTimestamp: undefined }, ['/depositTransaction/postedTimestamp required']],
  [
    'a time without zone',
    { transactionTimestamp: '2026-03-02T15:00:00' },
    ['/depositTransaction/transactionTimestamp wrong_type'],
  ],
  [
    'the year 0',
    { transactionTimestamp: '0000-03-02T15:00:00Z' },
    ['/depositTransaction/transactionTimestamp wrong_type'],
  ],
  [
    'an image with a NUL',
    { lineItem: [{ imageIds: ['\u0000'] }] },
    ['/depositTransaction/lineItem/0/imageIds/0 format'],
  ],
  ['a line break in the memo', { memo: 'a\nb' }, ['/depositTransaction/memo text']],
  ['the id of another record', { transactionId: 'taken' }, ['/depositTransaction/transactionId different_transaction']],
])('a line with %s is rejected with its reason, and the others go in', async (_what, change, reasons) => {
  const given = await gateway.given.account();
  const [first, last] = [entry({ transactionId: 'taken', memo: 'first' }), entry({ amount: '5' })];
  const wrong =
    typeof change === 'function' ? change(line(given.account, entry())) : line(given.account, entry({ ...change }));
  const lines = [line(given.account, first), wrong, line(given.account, last)];
  expect(await importing(gateway, given.program, lines)).toEqual(['new', reasons, 'new']);
  expect(await importing(gateway, given.program, lines)).toEqual(['unchanged', reasons, 'unchanged']);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2, balance: '1500' });
});

test("another program's account is unknown, whatever else is in the batch", async () => {
  const mine = await gateway.given.account();
  const theirs = await gateway.given.account();
  const lines = [line(theirs.account, entry()), line(mine.account, entry()), line(theirs.account, entry())];
  expect(await importing(gateway, mine.program, lines)).toEqual(['account_not_found', 'new', 'account_not_found']);
  expect((await books(gateway, theirs.account)).count).toBe(0);
  expect((await books(gateway, mine.account)).count).toBe(1);
});

test('numbers in any notation of JSON are the amount that they mean', async () => {
  const given = await gateway.given.account();
  const amounts = ['1e2', '1.5E+1', '25e-2', '10.0', '10.00000', '-0', '0.1e1', '12345678.9e0'];
  const lines = amounts.map(amount => line(given.account, entry({ amount })));
  expect(await importing(gateway, given.program, lines)).toEqual(all('new', amounts.length));
  const [page] = await restPages(gateway, given, 'limit=100');
  expect(page.transactions.map(({ depositTransaction }) => depositTransaction.amount).reverse()).toEqual([
    100, 15, 0.25, 10, 10, 0, 1, 12345678.9,
  ]);
  await expectSound(gateway, given.account);
});

test('one record several times in a batch is one transaction, another under its id is rejected', async () => {
  const given = await gateway.given.account();
  const row = entry();
  const same = line(given.account, row);
  const other = line(given.account, { ...row, amount: '11' });
  const different = ['/depositTransaction/transactionId different_transaction'];
  expect(
    await importing(gateway, given.program, [same, other, same, line(given.account, entry()), same, other]),
  ).toEqual(['new', different, 'unchanged', 'new', 'unchanged', different]);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2, balance: '2000' });
});

test('a rejected line leaves no gap, and balances that are given follow the lines that went in', async () => {
  const given = await gateway.given.account();
  const rows = [
    entry({ amount: '10', availableBalance: '10' }),
    entry({ amount: '5', availableBalance: '16' }),
    entry({ amount: '5', availableBalance: '15.00' }),
    entry({ amount: '20', debitCreditMemo: 'DEBIT', availableBalance: '-5' }),
    entry({ amount: '1', status: 'PENDING', availableBalance: '-5.0' }),
  ];
  expect(
    await importing(
      gateway,
      given.program,
      rows.map(row => line(given.account, row)),
    ),
  ).toEqual(['new', ['/depositTransaction/availableBalance balance_contradiction'], 'new', 'new', 'new']);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 4, balance: '-500' });
});

test('a balance beyond 18 digits rejects its line alone', async () => {
  const given = await gateway.given.account({ currency: 'JPY', balanceMinor: 999_000_000_000_000_000n });
  const rows = [entry({ amount: '1' }), entry({ amount: '1000000000000000' }), entry({ amount: '2' })];
  expect(
    await importing(
      gateway,
      given.program,
      rows.map(row => line(given.account, row)),
    ),
  ).toEqual(['new', ['/depositTransaction/amount balance_range'], 'new']);
  expect(await books(gateway, given.account)).toMatchObject({ count: 2, balance: '999000000000000003' });
});

test('what an import adds to an account is an event, and follows the account in the history of the program', async () => {
  const given = await gateway.given.account();
  await importing(gateway, given.program, [line(given.account, entry({ transactionId: 'only' }))]);
  const { rows } = await gateway.sql.query('SELECT action, data FROM event WHERE account_id = $1', [given.account]);
  expect(rows).toEqual([{ action: 'transaction.import', data: { transactions: 1, lastSeq: 1 } }]);
  const { data } = await gateway.as(given.caller).graphql('{ transactions { nodes { transactionId } totalCount } }');
  expect(data.transactions).toEqual({ nodes: [{ transactionId: 'only' }], totalCount: 1 });
});

// A record class inherits fields from the one that postings have, and its own rules have to hold as well.
test.each<[string, object, string]>([
  ['an account id of two words', { accountId: 'two words' }, '/depositTransaction/accountId format'],
  ['images where there are none', { imageIds: ['i'] }, '/depositTransaction/imageIds size'],
  ['links where there are none', { links: ['l'] }, '/depositTransaction/links size'],
])('a line with %s is rejected with its reason', async (_what, changes, reason) => {
  const given = await gateway.given.account();
  const record = { accountId: given.account, ...entry(), amount: 10, ...changes };
  const text = JSON.stringify({ depositTransaction: record });
  expect(await importing(gateway, given.program, [text])).toEqual([[reason]]);
});
