import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type Answer, type TestGateway } from '../support/gateway.js';
import type { GivenAccount, GivenStatement } from '../support/given.js';
import { readBai2 } from '../support/reports/bai2.js';
import { readCamt053 } from '../support/reports/camt053.js';
import { readOfx } from '../support/reports/ofx.js';
import { problems } from '../transaction/support/ledger.js';
import { issue, post } from './issue/issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FORMATS = ['csv', 'camt.053', 'ofx', 'ofx1', 'bai2'] as const;

async function as({ caller, path }: Pick<GivenStatement, 'caller' | 'path'>, query: string): Promise<Answer> {
  const answer = await gateway.as(caller).rest.get(`${path}?${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer;
}

/** The statement of a month that the gateway issued. */
async function issued(of: GivenAccount, month: string): Promise<Pick<GivenStatement, 'caller' | 'path' | 'statement'>> {
  await issue(gateway, 'close', month, of.program);
  const { body } = await gateway.as(of.caller).rest.get(`/accounts/${of.account}/statements`);
  const statement = body.statements[0].statementId as string;
  return { caller: of.caller, statement, path: `/accounts/${of.account}/Statements/${statement}` };
}

test('a statement says the same in every format', async () => {
  const given = await gateway.given.statement({ statementDate: '2026-05-31' });
  const camt = readCamt053((await as(given, 'format=camt.053')).text);
  expect(camt).toMatchObject({
    messageId: given.statement.replaceAll('-', ''),
    account: given.account,
    owner: 'Marisol Whitcombe',
    servicer: 'Harbor Bank',
    from: '2026-05-01',
    to: '2026-05-31',
    opening: '100.00',
    closing: '1338.00',
    entries: [
      {
        reference: 'wages-1',
        amount: '1250.00',
        bookedOn: '2026-05-15',
        text: 'Wages, "May" — Zürich',
      },
      {
        reference: 'fee-1',
        amount: '-12.00',
        bookedOn: '2026-05-31',
        text: 'Maintenance',
      },
    ],
  });
  for (const format of ['ofx', 'ofx1']) {
    expect(readOfx((await as(given, `format=${format}`)).bytes)).toMatchObject({
      account: given.account,
      balance: '1338.00',
      from: '2026-05-01',
      to: '2026-05-31',
      transactions: [
        {
          FITID: 'wages-1',
          TRNAMT: '1250.00',
          DTPOSTED: '2026-05-15',
          NAME: 'Wages, "May" — Zürich',
        },
        {
          FITID: 'fee-1',
          TRNAMT: '-12.00',
          DTPOSTED: '2026-05-31',
          NAME: 'Maintenance',
        },
      ],
    });
  }
  const bai2 = readBai2((await as(given, 'format=bai2')).text);
  expect(
    bai2.groups.map(({ date, accounts: [account] }) => [
      date,
      account?.summaries.get('015')?.[0],
      account?.transactions,
    ]),
  ).toEqual([
    ['260515', 135_000n, [{ type: '165', amount: 125_000n, reference: 'wages-1', text: 'Wages "May" - Zurich' }]],
    ['260531', 133_800n, [{ type: '698', amount: 1200n, reference: 'fee-1', text: 'Maintenance' }]],
  ]);
});

test.each(FORMATS)(
  'a statement as %s has a name and a tag, and comes in ranges and again as any other form',
  async format => {
    const given = await gateway.given.statement({ statementDate: '2026-05-31' });
    const { bytes, headers } = await as(given, `format=${format}`);
    const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    expect([headers.etag, headers.vary, headers['content-disposition']]).toEqual([
      tag,
      'Accept',
      expect.stringMatching(/^attachment; filename="statement-2026-05-31\.(csv|camt053\.xml|ofx|bai2)"$/),
    ]);
    const { rest } = gateway.as(given.caller);
    const path = `${given.path}?format=${format}`;
    expect((await rest.get(path)).bytes).toEqual(bytes);
    expect((await rest.get(path, { 'if-none-match': tag })).status).toBe(304);
    const part = await rest.get(path, { range: 'bytes=10-29' });
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(10, 30)]);
  },
);

test('format goes before Accept, and names the PDF and JSON as well', async () => {
  const given = await gateway.given.statement();
  const { rest } = gateway.as(given.caller);
  const pdf = await rest.get(`${given.path}?format=pdf`, { accept: 'application/json' });
  expect(pdf.bytes).toEqual(given.pdf);
  const json = await rest.get(`${given.path}?format=json`, { accept: 'text/csv' });
  expect(json.body.statementId).toBe(given.statement);
});

test('CSV has a byte order mark for those who ask for it, and a tag of its own then', async () => {
  const given = await gateway.given.statement();
  const [plain, marked] = [await as(given, 'format=csv'), await as(given, 'format=csv&bom=true')];
  expect(marked.bytes).toEqual(Buffer.concat([Buffer.from('\ufeff'), plain.bytes]));
  expect(marked.headers.etag).not.toBe(plain.headers.etag);
  const { status, body } = await gateway.as(given.caller).rest.get(`${given.path}?format=ofx&bom=true`);
  expect([status, problems(body)]).toEqual([400, { code: 'invalid_input', errors: ['/bom unknown_parameter'] }]);
});

test.each([
  ['of an unknown format', {}, 'qif'],
  ['of a format in other letters', {}, 'CSV'],
  ['a tax form as OFX', { documentType: 'TAX_1099' }, 'ofx'],
  ["a partner's statement as CSV", { source: 'PARTNER' }, 'csv'],
] as const)('%s there is none', async (_what, fields, format) => {
  const given = await gateway.given.statement(fields);
  const { status, body, headers } = await gateway.as(given.caller).rest.get(`${given.path}?format=${format}`);
  expect([status, body.code, headers.vary]).toEqual([406, 'not_acceptable', 'Accept']);
});

describe('a statement that was issued', () => {
  test('and the range of its days have the same entries and balances', async () => {
    const of = await gateway.given.account({ currency: 'BHD', accountType: 'CD' });
    await post(gateway, of, [
      { at: '2024-02-10', amount: '100.125' },
      { at: '2024-03-05', amount: '-250.001', type: 'FEE', description: 'Early withdrawal' },
      { at: '2024-03-05', amount: '9', direction: 'MEMO' },
      { at: '2024-03-06', amount: '9', status: 'PENDING' },
      { at: '2024-03-04', amount: '0.500', type: 'INTEREST' },
      { at: '2024-04-01', amount: '7' },
    ]);
    const statement = await issued(of, '2024-03');
    const range = {
      caller: of.caller,
      path: `/accounts/${of.account}/transactions`,
      days: 'startTime=2024-03-01&endTime=2024-03-31',
    };
    const both = async (format: string): Promise<[Answer, Answer]> => [
      await as(statement, `format=${format}`),
      await as(range, `${range.days}&format=${format}`),
    ];
    const [csv, csvOfRange] = await both('csv');
    expect(csv.text).toBe(csvOfRange.text);
    const [camt, camtOfRange] = (await both('camt.053')).map(({ text }) => readCamt053(text));
    expect([camt?.opening, camt?.closing]).toEqual(['100.125', '-149.376']);
    for (const part of ['opening', 'closing', 'net', 'count', 'entries', 'account', 'from', 'to'] as const) {
      expect([part, camt?.[part]]).toEqual([part, camtOfRange?.[part]]);
    }
    for (const [format, type] of [
      ['ofx', 'CD'],
      ['ofx1', 'SAVINGS'],
    ] as const) {
      const [ofx, ofxOfRange] = (await both(format)).map(({ bytes }) => readOfx(bytes));
      expect(ofx).toEqual(ofxOfRange);
      expect([ofx?.accountType, ofx?.balance]).toEqual([type, '-149.376']);
    }
    const [bai2, bai2OfRange] = (await both('bai2')).map(({ text }) => readBai2(text).groups);
    expect(bai2).toEqual(bai2OfRange);
  });

  test('has what was posted late under its own day, and balances that go on from the statement before', async () => {
    const of = await gateway.given.account();
    await post(gateway, of, [{ at: '2024-02-10', amount: '100' }]);
    await issued(of, '2024-02');
    await post(gateway, of, [
      { at: '2024-03-05', amount: '10' },
      { at: '2024-02-11', amount: '-1' },
    ]);
    const statement = await issued(of, '2024-03');
    const camt = readCamt053((await as(statement, 'format=camt.053')).text);
    expect([camt.opening, camt.closing]).toEqual(['100.00', '109.00']);
    const { groups } = readBai2((await as(statement, 'format=bai2')).text);
    expect(groups.map(({ date, accounts: [account] }) => [date, account?.summaries.get('015')?.[0]])).toEqual([
      ['240211', 9900n],
      ['240305', 10_900n],
    ]);
  });

  test('without entries has its balances', async () => {
    const of = await gateway.given.account();
    await post(gateway, of, [{ at: '2024-02-10', amount: '100' }]);
    const statement = await issued(of, '2024-03');
    const camt = readCamt053((await as(statement, 'format=camt.053')).text);
    expect([camt.opening, camt.closing, camt.count]).toEqual(['100.00', '100.00', 0]);
    const [group] = readBai2((await as(statement, 'format=bai2')).text).groups;
    expect([group?.date, group?.accounts[0]?.summaries.get('015')?.[0]]).toEqual(['240331', 10_000n]);
  });
});
