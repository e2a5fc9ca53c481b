import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { checkPdf } from '../../lib/pdf-check/pdf-check.js';
import { read as readPdf } from '../../lib/typeset/test/reading.js';
import { startTestGateway, type Answer, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { expectInOrder } from '../support/in-order.js';
import { readBai2 } from '../support/reports/bai2.js';
import { readCamt053 } from '../support/reports/camt053.js';
import { readOfx } from '../support/reports/ofx.js';
import { until } from '../support/until.js';
import { entries as entriesOf, entry, post, problems, type Entry } from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FORMATS = ['csv', 'camt.053', 'ofx', 'ofx1', 'bai2'] as const;
const MARCH = 'startTime=2026-03-01&endTime=2026-03-31';

function file(
  { account, caller }: Pick<GivenAccount, 'account' | 'caller'>,
  query: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return gateway.as(caller).rest.get(`/accounts/${encodeURIComponent(account)}/transactions?${query}`, headers);
}

async function march(of: GivenAccount, format: (typeof FORMATS)[number], more = ''): Promise<Answer> {
  const answer = await file(of, `${MARCH}&format=${format}${more}`);
  expect([format, answer.status]).toEqual([format, 200]);
  return answer;
}

/** An account with entries before, in and after March, and some that are not booked. */
async function givenMarch(): Promise<GivenAccount & { ids: string[] }> {
  const of = await gateway.given.account();
  const at = (day: string, time = '16:00:00'): Pick<Entry, 'transactionTimestamp' | 'postedTimestamp'> => {
    return { transactionTimestamp: `${day}T${time}.000Z`, postedTimestamp: `${day}T${time}.000Z` };
  };
  const posted = await post(gateway, of, [
    entry({ ...at('2026-02-10'), amount: '100.00' }),
    // The last moment of February and the first of March in New York.
    entry({ ...at('2026-03-01', '04:59:59'), amount: '1.00' }),
    entry({ ...at('2026-03-01', '05:00:00'), amount: '2.50', transactionType: 'INTEREST', description: 'Interest' }),
    entry({
      ...at('2026-03-20'),
      amount: '500.00',
      debitCreditMemo: 'DEBIT',
      description: 'Rent, "March" & <more>',
      memo: 'Flat 3/4',
    }),
    entry({ ...at('2026-03-05'), amount: '6.00', debitCreditMemo: 'DEBIT', transactionType: 'FEE', description: '' }),
    entry({ ...at('2026-03-20'), amount: '7.00', debitCreditMemo: 'MEMO' }),
    entry({ ...at('2026-03-20'), amount: '8.00', status: 'PENDING' }),
    entry({ ...at('2026-04-01', '03:59:59'), amount: '20.00' }),
    entry({ ...at('2026-04-01', '04:00:00'), amount: '40.00' }),
  ]);
  return { ...of, ids: posted.map(({ transactionId }) => transactionId) };
}

describe('the transactions of some days', () => {
  test('as camt.053 are the booked ones in ledger order, between the balances before and after them', async () => {
    const of = await givenMarch();
    const read = readCamt053((await march(of, 'camt.053')).text);
    const { entries, ...about } = read;
    expect(about).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: '2026-04-01T04:00:00.000Z',
      account: of.account,
      currency: 'USD',
      owner: null,
      servicer: of.program,
      from: '2026-03-01',
      to: '2026-03-31',
      opening: '101.00',
      closing: '-382.50',
      count: 4,
      net: '-483.50',
    });
    const usual = { status: 'BOOK', whole: null, remittance: [] };
    const on = (day: string) => ({ bookedOn: day, valueOn: day });
    expect(entries).toEqual([
      {
        ...usual,
        ...on('2026-03-01'),
        reference: of.ids[2],
        amount: '2.50',
        type: 'INTEREST',
        code: 'ACMT,MCOP,INTR',
        text: 'Interest',
      },
      {
        ...usual,
        ...on('2026-03-20'),
        reference: of.ids[3],
        amount: '-500.00',
        type: 'DIRECTDEPOSIT',
        code: 'PMNT,MDOP,OTHR',
        text: 'Rent, "March" & <more>',
        remittance: ['Flat 3/4'],
      },
      {
        ...usual,
        ...on('2026-03-05'),
        reference: of.ids[4],
        amount: '-6.00',
        type: 'FEE',
        code: 'ACMT,MDOP,CHRG',
        text: 'FEE',
      },
      {
        ...usual,
        ...on('2026-03-31'),
        reference: of.ids[7],
        amount: '20.00',
        type: 'DIRECTDEPOSIT',
        code: 'PMNT,RCDT,OTHR',
        text: 'DIRECTDEPOSIT',
      },
    ]);
  });

  test.each(['ofx', 'ofx1'] as const)(
    'as %s are read back by another program, with the balance at the end',
    async format => {
      const of = await givenMarch();
      const read = readOfx((await march(of, format)).bytes);
      expect(read).toEqual({
        version: format === 'ofx' ? '220' : '102',
        currency: 'USD',
        bank: expect.stringMatching(/^.{1,9}$/),
        account: of.account,
        accountType: 'CHECKING',
        from: '2026-03-01',
        to: '2026-03-31',
        balance: '-382.50',
        transactions: [
          {
            TRNTYPE: 'INT',
            DTPOSTED: '2026-03-01',
            TRNAMT: '2.50',
            FITID: of.ids[2],
            NAME: 'Interest',
          },
          {
            TRNTYPE: 'DEBIT',
            DTPOSTED: '2026-03-20',
            TRNAMT: '-500.00',
            FITID: of.ids[3],
            NAME: 'Rent, "March" & <more>',
            MEMO: 'Flat 3/4',
          },
          {
            TRNTYPE: 'FEE',
            DTPOSTED: '2026-03-05',
            TRNAMT: '-6.00',
            FITID: of.ids[4],
            NAME: 'FEE',
          },
          {
            TRNTYPE: 'DIRECTDEP',
            DTPOSTED: '2026-03-31',
            TRNAMT: '20.00',
            FITID: of.ids[7],
            NAME: 'DIRECTDEPOSIT',
          },
        ],
      });
    },
  );

  test('as BAI2 are a group for each day, with its balances, and totals that are right', async () => {
    const of = await givenMarch();
    const read = readBai2((await march(of, 'bai2')).text);
    expect([read.sender, read.date, read.time]).toEqual([of.program, '260401', '0400']);
    const summaries = (...[opening, closing, credits, debits]: [bigint, bigint, [bigint, string], [bigint, string]]) =>
      new Map([
        ['010', [opening, '']],
        ['015', [closing, '']],
        ['100', credits],
        ['400', debits],
      ]);
    const of2 = { id: of.account, currency: 'USD' };
    const group = { originator: of.program, currency: 'USD' };
    expect(read.groups).toEqual([
      {
        ...group,
        date: '260301',
        accounts: [
          {
            ...of2,
            summaries: summaries(10_100n, 10_350n, [250n, '1'], [0n, '0']),
            transactions: [{ type: '354', amount: 250n, reference: of.ids[2], text: 'Interest' }],
          },
        ],
      },
      {
        ...group,
        date: '260305',
        accounts: [
          {
            ...of2,
            summaries: summaries(10_350n, 9750n, [0n, '0'], [600n, '1']),
            transactions: [{ type: '698', amount: 600n, reference: of.ids[4], text: 'FEE' }],
          },
        ],
      },
      {
        ...group,
        date: '260320',
        accounts: [
          {
            ...of2,
            summaries: summaries(9750n, -40_250n, [0n, '0'], [50_000n, '1']),
            transactions: [
              { type: '699', amount: 50_000n, reference: of.ids[3], text: 'Rent "March" & <more> - Flat 3-4' },
            ],
          },
        ],
      },
      {
        ...group,
        date: '260331',
        accounts: [
          {
            ...of2,
            summaries: summaries(-40_250n, -38_250n, [2000n, '1'], [0n, '0']),
            transactions: [{ type: '165', amount: 2000n, reference: of.ids[7], text: 'DIRECTDEPOSIT' }],
          },
        ],
      },
    ]);
  });

  test('as CSV have the balance after each, and a byte order mark for those who ask for it', async () => {
    const of = await givenMarch();
    const { bytes, text } = await march(of, 'csv');
    expect(text).toBe(
      'postedOn,transactionId,description,transactionType,direction,amount,balance,currency,memo,signedAmount\r\n' +
        `2026-03-01,${of.ids[2]},Interest,INTEREST,CREDIT,2.50,103.50,USD,,2.50\r\n` +
        `2026-03-20,${of.ids[3]},"Rent, ""March"" & <more>",DIRECTDEPOSIT,DEBIT,500.00,-396.50,USD,Flat 3/4,-500.00\r\n` +
        `2026-03-05,${of.ids[4]},FEE,FEE,DEBIT,6.00,-402.50,USD,,-6.00\r\n` +
        `2026-03-31,${of.ids[7]},DIRECTDEPOSIT,DIRECTDEPOSIT,CREDIT,20.00,-382.50,USD,,20.00\r\n`,
    );
    expect((await march(of, 'csv', '&bom=true')).bytes).toEqual(Buffer.concat([Buffer.from('\ufeff'), bytes]));
    expect((await march(of, 'csv', '&bom=false')).bytes).toEqual(bytes);
  });

  test('are the same bytes each time, also when more was posted for other days', async () => {
    const of = await givenMarch();
    const first = await Promise.all(FORMATS.map(format => march(of, format)));
    await post(gateway, of, [entry({ postedTimestamp: '2026-05-02T12:00:00.000Z' })]);
    const again = await Promise.all(FORMATS.map(format => march(of, format)));
    expect(again.map(({ bytes }) => bytes)).toEqual(first.map(({ bytes }) => bytes));
    // What is posted late for one of the days makes another message.
    await post(gateway, of, [entry({ postedTimestamp: '2026-03-02T12:00:00.000Z', amount: '0.00' })]);
    const later = readCamt053((await march(of, 'camt.053')).text);
    expect(later.count).toBe(5);
    expect(later.messageId).not.toBe(readCamt053(String(first[1]?.text)).messageId);
  });

  test('without any are the balance alone', async () => {
    const of = await givenMarch();
    const days = 'startTime=2026-07-01&endTime=2026-07-31';
    const get = async (format: string): Promise<Answer> => file(of, `${days}&format=${format}`);
    const camt = readCamt053((await get('camt.053')).text);
    expect([camt.opening, camt.closing, camt.entries]).toEqual(['-342.50', '-342.50', []]);
    const ofx = readOfx((await get('ofx')).bytes);
    expect([ofx.balance, ofx.transactions]).toEqual(['-342.50', []]);
    const bai2 = readBai2((await get('bai2')).text);
    expect(bai2.groups.map(({ date, accounts }) => [date, accounts[0]?.transactions])).toEqual([['260731', []]]);
    expect((await get('csv')).text.split('\r\n')).toHaveLength(2);
  });

  test('of one day are those from midnight to midnight, where clocks change at midnight as well', async () => {
    const of = await gateway.given.account({ timeZone: 'America/Havana' });
    const times = [
      '2026-10-31T03:59:59',
      '2026-10-31T04:00:00',
      '2026-11-01T03:59:59',
      '2026-11-01T04:00:00',
      '2026-11-01T05:30:00',
    ];
    const posted = await post(
      gateway,
      of,
      times.map(time => entry({ postedTimestamp: `${time}.000Z` })),
    );
    const ids = async (day: string): Promise<string[]> => {
      const { text } = await file(of, `startTime=${day}&endTime=${day}&format=camt.053`);
      return readCamt053(text).entries.map(({ reference }) => reference);
    };
    const idsOf = (...at: number[]) => at.map(index => posted[index]?.transactionId);
    expect(await ids('2026-10-31')).toEqual(idsOf(1, 2));
    expect(await ids('2026-11-01')).toEqual(idsOf(3, 4));
  });
});

describe('a report of some days as PDF', () => {
  test('says whose it is and of which days, has every movement, and says that it is no statement', async () => {
    const of = await givenMarch();
    await gateway.given.programRecord(of.program);
    const answer = await file(of, `${MARCH}&format=pdf`);
    const { 'content-type': type, 'content-disposition': disposition, vary } = answer.headers;
    expect([answer.status, type, disposition, vary]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="transactions-2026-03-01-2026-03-31.pdf"',
      'Accept',
    ]);
    expect(checkPdf(answer.bytes)).toBeNull();
    const { texts, info } = await readPdf(answer.bytes);
    expect(info['Title']).toBe(
      `Harbor Example Bank: report of account •••• ${of.account.slice(-4)}, March 1 to 31, 2026`,
    );
    expect(texts).toHaveLength(1);
    expectInOrder(texts[0]!, [
      'Harbor Example Bank',
      '1 Quay Street',
      'Ada Owner',
      'Account report',
      'Report period',
      'March 1 to 31, 2026',
      `•••• ${of.account.slice(-4)}`,
      'Checking account',
      'As of',
      'March 31, 2026',
      'This is an account report, and not an account statement',
      'Opening balance',
      'Closing balance',
      '101.00',
      '22.50',
      '2 entries',
      '506.00',
      '2 entries',
      '−382.50',
      'Transactions',
      'Opening balance',
      '101.00',
      'Mar 1',
      'Interest',
      '2.50',
      '103.50',
      'Mar 20',
      'Rent, "March" & <more> · Flat 3/4',
      '500.00',
      '−396.50',
      'Mar 5',
      'Fee',
      '6.00',
      '−402.50',
      'Mar 31',
      'Direct deposit',
      '20.00',
      '−382.50',
      'Closing balance',
      '−382.50',
      'Page 1 of 1',
    ]);
    expect(texts[0]).not.toMatch(/DIRECTDEPOSIT|Account statement|Statement period|Issued|In case of errors/);
  });

  test('carries the balance over its pages, and numbers them', async () => {
    const of = await gateway.given.account();
    await post(
      gateway,
      of,
      entriesOf(90, index => ({ amount: `${index + 1}.00`, description: `Deposit no. ${index + 1}` })),
    );
    const { texts } = await readPdf((await file(of, `${MARCH}&format=pdf`)).bytes);
    expect(texts).toHaveLength(3);
    expectInOrder(texts.join('\n'), [
      'Deposit no. 1',
      'Balance carried forward',
      'Page 1 of 3',
      'Balance brought forward',
      'Page 2 of 3',
      'Balance brought forward',
      'Deposit no. 90',
      '4,095.00',
      'Closing balance',
      '4,095.00',
      'Page 3 of 3',
    ]);
  });

  test('comes by its content type as well, with the same bytes each time, and HEAD alike', async () => {
    const of = await givenMarch();
    const first = await file(of, `${MARCH}&format=pdf`);
    const again = await file(of, MARCH, { accept: 'application/pdf', 'accept-encoding': 'gzip' });
    expect([again.headers['content-type'], again.headers['content-encoding']]).toEqual(['application/pdf', undefined]);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    const path = `/accounts/${of.account}/transactions?${MARCH}&format=pdf`;
    const head = await gateway.as(of.caller).raw({ method: 'HEAD', path });
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(first.bytes.length),
    ]);
  });

  test('is as of today where the days are not over, and has the balance alone where nothing was booked', async () => {
    const of = await givenMarch();
    const today = (): string =>
      new Date().toLocaleDateString('en-US', { timeZone: 'America/New_York', dateStyle: 'long' });
    const before = today();
    const open = await readPdf((await file(of, 'startTime=2026-07-01&endTime=2099-12-31&format=pdf')).bytes);
    const asOf = [before, today()].find(day => open.text.includes(day));
    expectInOrder(open.text, [
      'July 1, 2026 to December 31, 2099',
      'As of',
      String(asOf),
      'Opening balance',
      '−342.50',
      'No transactions in this period',
      'Closing balance',
      '−342.50',
    ]);
  });

  test('takes what the download of a statement takes, since it has names and an address', async () => {
    const of = await givenMarch();
    const caller = await gateway.caller({ program: of.program, scopes: ['transactions.read', 'accounts.read'] });
    expect((await file({ ...of, caller }, `${MARCH}&format=csv`)).status).toBe(200);
    const { status, body } = await file({ ...of, caller }, `${MARCH}&format=pdf`);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    const stranger = await gateway.caller({ program: gateway.given.program() });
    expect((await file({ ...of, caller: stranger }, `${MARCH}&format=pdf`)).status).toBe(404);
  });
});

describe('amounts', () => {
  test.each([
    ['JPY', '1250', '-1250', '1250'],
    ['BHD', '1.250', '-1.250', '1250'],
    ['USD', '12.50', '-12.50', '1250'],
  ])('in %s have the digits of the currency', async (currency, amount, negative, minor) => {
    const of = await gateway.given.account({ currency });
    await post(gateway, of, [entry({ amount, debitCreditMemo: 'DEBIT' })]);
    const camt = readCamt053((await march(of, 'camt.053')).text);
    expect([camt.currency, camt.entries[0]?.amount, camt.closing]).toEqual([currency, negative, negative]);
    for (const format of ['ofx', 'ofx1'] as const) {
      const ofx = readOfx((await march(of, format)).bytes);
      expect([ofx.currency, ofx.transactions[0]?.TRNAMT, ofx.balance]).toEqual([currency, negative, negative]);
    }
    const [group] = readBai2((await march(of, 'bai2')).text).groups;
    expect([group?.currency, group?.accounts[0]?.transactions[0]?.amount]).toEqual([currency, BigInt(minor)]);
    expect((await march(of, 'csv')).text).toContain(`,DEBIT,${amount},${negative},${currency},,${negative}\r\n`);
  });
});

describe('texts and ids', () => {
  const HARD = 'Łódź & <Söhne> 東京 "x" 😀/y, z';

  test('of any kind are in every format as far as it can hold them', async () => {
    const of = await gateway.given.account();
    const description = `${HARD} ${'word '.repeat(60)}end`;
    await post(gateway, of, [entry({ description, memo: HARD })]);
    const [camt] = readCamt053((await march(of, 'camt.053')).text).entries;
    expect(camt?.text).toBe(description);
    const [ofx] = readOfx((await march(of, 'ofx')).bytes).transactions;
    expect(ofx?.NAME).toBe(description.slice(0, 32).trimEnd());
    expect(ofx?.MEMO).toBe(description.slice(0, 255).trimEnd());
    const [ofx1] = readOfx((await march(of, 'ofx1')).bytes).transactions;
    expect(ofx1?.NAME).toBe('Lódz & <Söhne> ?? "x" ?/y, z wor');
    const [bai2] = readBai2((await march(of, 'bai2')).text).groups[0]?.accounts[0]?.transactions ?? [];
    expect(bai2?.text).toMatch(/^Lodz & <Sohne> \?\? "x" \?-y z word word .* end - Lodz & <Sohne> \?\? "x" \?-y z$/);
  });

  test('are no formula in any cell of CSV, whatever separates cells for its reader', async () => {
    const of = await gateway.given.account();
    await post(gateway, of, [entry({ description: 'semi;colon;=1+1', memo: 'a; @SUM(1);b' })]);
    const line = (await march(of, 'csv')).text.split('\r\n')[1];
    expect(line).toContain(`,"semi;colon;'=1+1",`);
    expect(line).toContain(`,"a;' @SUM(1);b",`);
    const [, whole] = (await gateway.as(of.caller).rest.get('/transactions')).text.split('\r\n');
    expect(whole).toContain(`,"semi;colon;'=1+1","a;' @SUM(1);b",`);
  });

  test('that are the same in description and memo are told once where both stand in one text', async () => {
    const of = await gateway.given.account();
    const long = 'Rent of the flat in the old harbour of Zürich';
    await post(gateway, of, [
      entry({ description: 'Rent of March', memo: ' rent of  March' }),
      entry({ description: long, memo: long }),
      entry({ description: 'Rent', memo: 'Flat 3' }),
    ]);
    const bai2 = readBai2((await march(of, 'bai2')).text).groups[0]?.accounts[0]?.transactions;
    expect(bai2?.map(({ text }) => text)).toEqual([
      'Rent of March',
      'Rent of the flat in the old harbour of Zurich',
      'Rent - Flat 3',
    ]);
    for (const format of ['ofx', 'ofx1'] as const) {
      const { transactions } = readOfx((await march(of, format)).bytes);
      expect(transactions.map(({ MEMO }) => MEMO)).toEqual([undefined, long, 'Flat 3']);
    }
    // Importers read one of the two elements.
    const camt = readCamt053((await march(of, 'camt.053')).text).entries;
    expect(camt.map(({ remittance }) => remittance.length)).toEqual([1, 1, 1]);
  });

  test('end behind a whole character where a format has no more room', async () => {
    const of = await gateway.given.account();
    const family = '👨‍👩‍👧‍👦';
    const description = `${'ﬃ'.repeat(14)}${family}`;
    await post(gateway, of, [
      entry({ description }),
      entry({ description: `${'x'.repeat(31)}😀y`, memo: `${'m'.repeat(245)}${family}` }),
    ]);
    const ofx1 = readOfx((await march(of, 'ofx1')).bytes).transactions;
    expect(ofx1.map(({ NAME }) => NAME)).toEqual(['ffi'.repeat(10), `${'x'.repeat(31)}?`]);
    expect(ofx1[0]?.MEMO).toBe(`${'ffi'.repeat(14)}?`);
    const ofx = readOfx((await march(of, 'ofx')).bytes).transactions;
    expect(ofx.map(({ NAME }) => NAME)).toEqual([`${'ﬃ'.repeat(14)}${family}`, 'x'.repeat(31)]);
    expect(ofx[1]?.MEMO).toBe(`${'x'.repeat(31)}😀y - ${'m'.repeat(218)}`);
    const bai2 = readBai2((await march(of, 'bai2')).text).groups[0]?.accounts[0]?.transactions;
    expect(bai2?.[0]?.text).toBe(`${'ffi'.repeat(14)}?`);
  });

  test('that are longer than a format takes stay different, and whole where there is a place', async () => {
    const long = `t${'x'.repeat(62)}`;
    const of = await gateway.given.account({ accountId: `${'a'.repeat(60)}/1,` });
    const ids = [`${long}1`, `${long}2`, 'a,b/c<&>', 'a.b.c'];
    await post(
      gateway,
      of,
      ids.map(transactionId => entry({ transactionId })),
    );
    const camt = readCamt053((await march(of, 'camt.053')).text);
    expect(camt.account).toMatch(/^a+-[0-9a-f]{16}$/);
    expect(new Set(camt.entries.map(({ reference }) => reference)).size).toBe(4);
    expect(camt.entries.map(({ whole, reference }) => whole ?? reference)).toEqual(ids);
    for (const format of ['ofx', 'ofx1'] as const) {
      const ofx = readOfx((await march(of, format)).bytes);
      expect(ofx.account).toMatch(/^.{22}$/);
      expect(ofx.transactions.map(({ FITID }) => FITID)).toEqual(ids);
    }
    const bai2 = readBai2((await march(of, 'bai2')).text).groups[0]?.accounts[0];
    expect(new Set(bai2?.transactions.map(({ reference }) => reference)).size).toBe(4);
    expect(bai2?.transactions[3]?.reference).toBe('a.b.c');
    // An account is the same one in every file.
    const april = await file(of, 'startTime=2026-04-01&endTime=2026-04-30&format=camt.053');
    expect(readCamt053(april.text).account).toBe(camt.account);
  });
});

describe('a file', () => {
  const TYPES = {
    csv: ['text/csv; charset=utf-8; header=present', '.csv'],
    'camt.053': ['application/x-camt.053+xml; charset=utf-8', '.camt053.xml'],
    ofx: ['application/x-ofx; version=2.2; charset=utf-8', '.ofx'],
    ofx1: ['application/x-ofx; version=1.0.2; charset=windows-1252', '.ofx'],
    bai2: ['application/x-bai2; charset=us-ascii', '.bai2'],
  } as const;

  test.each(FORMATS)(
    'of the format %s comes by its name and by its content type, with the name of a file',
    async format => {
      const of = await givenMarch();
      const [contentType, extension] = TYPES[format];
      const named = await march(of, format);
      const accepted = await file(of, MARCH, { accept: contentType.replace(/; charset.*/, '') });
      expect(accepted.bytes).toEqual(named.bytes);
      for (const { headers } of [named, accepted]) {
        expect([headers['content-type'], headers['content-disposition'], headers.vary]).toEqual([
          contentType,
          `attachment; filename="transactions-2026-03-01-2026-03-31${extension}"`,
          'Accept, Accept-Encoding',
        ]);
      }
      const path = `/accounts/${of.account}/transactions?${MARCH}&format=${format}`;
      const head = await gateway.as(of.caller).raw({ method: 'HEAD', path });
      expect([head.status, head.bytes.length, head.headers['content-type']]).toEqual([200, 0, contentType]);
    },
  );

  test('comes compressed for who takes it so', async () => {
    const of = await givenMarch();
    const { bytes } = await march(of, 'camt.053');
    for (const [coding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await file(of, `${MARCH}&format=camt.053`, { 'accept-encoding': coding });
      expect([packed.headers['content-encoding'], unpack(packed.bytes)]).toEqual([coding, bytes]);
    }
  });

  test.each([undefined, '*/*', 'application/json', 'application/*'])(
    'is not what a client gets that accepts %s and names no format',
    async accept => {
      const of = await givenMarch();
      const { status, headers, body } = await file(of, MARCH, accept === undefined ? {} : { accept });
      expect([status, headers['content-type'], body.page.totalElements]).toEqual([
        200,
        'application/json; charset=utf-8',
        6,
      ]);
      expect(headers.vary).toBe('Accept');
    },
  );

  test.each(['image/png', 'text/html', 'application/xml', 'application/json;q=0'])(
    'is 406 for a client that accepts only %s, as for documents, and HEAD alike',
    async accept => {
      const of = await givenMarch();
      const { status, body, headers } = await file(of, MARCH, { accept });
      expect([status, body.code, headers.vary]).toEqual([406, 'not_acceptable', 'Accept']);
      const path = `/accounts/${of.account}/transactions`;
      const head = await gateway.as(of.caller).raw({ method: 'HEAD', path, headers: { accept } });
      expect(head.status).toBe(406);
    },
  );

  test('is as before for who names JSON, whatever they accept', async () => {
    const of = await givenMarch();
    const { status, body } = await file(of, `${MARCH}&format=json&limit=2`, { accept: 'text/csv' });
    expect([status, body.transactions.length]).toEqual([200, 2]);
  });

  test('of an unknown format is refused, and the message names all there are and not what was sent', async () => {
    const of = await gateway.given.account();
    const { status, body, text } = await file(of, `${MARCH}&format=qif77`);
    expect([status, body.code]).toEqual([406, 'not_acceptable']);
    expect(text).not.toContain('qif77');
    for (const format of [...FORMATS, 'pdf']) expect(body.detail).toContain(`(${format})`);
  });

  test.each([
    ['format=csv', ['/startTime required', '/endTime required']],
    ['format=csv&startTime=2026-03-01', ['/endTime required']],
    ['format=csv&startTime=2026-03-01T00:00:00Z&endTime=2026-03-31', ['/startTime wrong_type']],
    ['format=csv&startTime=2026-02-30&endTime=2026-03-31', ['/startTime wrong_type']],
    [`format=csv&${MARCH}&status=POSTED`, ['/status unknown_parameter']],
    [`format=csv&${MARCH}&limit=5&search=x`, ['/limit unknown_parameter', '/search unknown_parameter']],
    [`format=csv&format=ofx&${MARCH}`, ['/format repeated']],
    [`format=ofx&${MARCH}&bom=true`, ['/bom unknown_parameter']],
    [`format=pdf&${MARCH}&bom=true`, ['/bom unknown_parameter']],
    [`format=pdf&${MARCH}&search=x`, ['/search unknown_parameter']],
    [`format=csv&${MARCH}&bom=yes`, ['/bom wrong_type']],
    ['bom=true', ['/bom unknown_parameter']],
  ])('for the query %s is refused', async (query, errors) => {
    const of = await gateway.given.account();
    const { status, body } = await file(of, query);
    expect([status, problems(body)]).toEqual([400, { code: 'invalid_input', errors }]);
  });

  test('of days that end before they begin breaks a rule', async () => {
    const of = await gateway.given.account();
    const { status, body } = await file(of, 'format=ofx&startTime=2026-03-02&endTime=2026-03-01');
    expect([status, problems(body)]).toEqual([422, { code: 'rule_broken', errors: ['/endTime range'] }]);
  });

  test('is there for those who see the account and may read transactions, and for nobody else', async () => {
    const of = await givenMarch();
    const ask = async (caller: string): Promise<unknown[]> => {
      const { status, body } = await file({ ...of, caller }, `${MARCH}&format=bai2`);
      return [status, body.code];
    };
    const { customer } = await gateway.given.customer({ program: of.program });
    const own = of.owners[0] as string;
    expect(await ask(await gateway.caller({ program: gateway.given.program() }))).toEqual([404, 'account_not_found']);
    expect(await ask(await gateway.caller({ program: of.program, customerId: customer }))).toEqual([
      404,
      'account_not_found',
    ]);
    expect((await ask(await gateway.caller({ program: of.program, customerId: own })))[0]).toBe(200);
    const scopes = ['accounts.read', 'statements.read'] as const;
    expect(await ask(await gateway.caller({ program: of.program, scopes }))).toEqual([403, 'insufficient_scope']);
  });
});

describe('a ledger of 100,001 transactions', () => {
  let of: GivenAccount;
  const SECOND_DAY = 'startTime=2026-03-02&endTime=2026-03-31';
  beforeAll(async () => {
    of = await gateway.given.account();
    await gateway.sql.query(
      `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category,
         transaction_type, status, transaction_timestamp, posted_timestamp, transaction_time, posted_time,
         additional_information, line_item)
       SELECT $1, n, $2, 't' || n, 1, n, 'CREDIT', 'ACH', 'DEPOSIT', 'POSTED', at, at, at, at, '[]', '[]'
       FROM generate_series(1, 100001) n, LATERAL (SELECT CASE WHEN n = 1 THEN '2026-03-01T12:00:00Z'
         ELSE '2026-03-02T12:00:00Z' END::timestamptz AS at) a`,
      [of.account, of.program],
    );
    const full = 'UPDATE account SET last_seq = 100001, balance_minor = 100001 WHERE account_id = $1';
    await gateway.sql.query(full, [of.account]);
    // As PostgreSQL does by itself after so many rows: statements were planned for the few that were there before.
    await gateway.sql.query('ANALYZE transaction');
  });

  test('is refused before the first byte, and 100,000 of them are not', async () => {
    const refused = await file(of, `${MARCH}&format=csv`);
    expect([refused.status, refused.body.code]).toEqual([422, 'too_many_transactions']);
    const { status, text } = await file(of, `${SECOND_DAY}&format=csv`);
    const lines = text.trimEnd().split('\r\n').slice(1);
    expect([status, lines.length, new Set(lines).size]).toEqual([200, 100_000, 100_000]);
    expect(lines.at(-1)).toBe('2026-03-02,t100001,DEPOSIT,DEPOSIT,CREDIT,0.01,1000.01,USD,,0.01');
    const bai2 = await file(of, `${SECOND_DAY}&format=bai2`);
    expect(readBai2(bai2.text).groups[0]?.accounts[0]?.transactions).toHaveLength(100_000);
  });

  test('is refused as a PDF from 5,001 of them on', async () => {
    const { status, body } = await file(of, `${SECOND_DAY}&format=pdf`);
    expect([status, body.code]).toEqual([422, 'too_many_transactions']);
    expect(body.detail).toContain('more than 5000 transactions');
  });

  test('is read no further for a client that has gone, which is no failure', async () => {
    const before = gateway.log.length;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${gateway.url}/accounts/${of.account}/transactions?${SECOND_DAY}&format=camt.053`;
      const asked = request(url, { headers: { authorization: `Bearer ${of.caller}` } }, resolve);
      asked.on('error', reject).end();
    });
    response.destroy();
    const lines = async (): Promise<string> => (await gateway.logged()).slice(before).join('');
    await until(async () => (await lines()).includes('"aborted":true'));
    expect(await lines()).not.toContain('request failed');
  });
});
