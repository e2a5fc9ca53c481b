import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importing } from '../cli/importing.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { pairOf, seenBy, transferOf, type Pair } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** A transfer as a line has it. */
function lineOf(ends: Parameters<typeof transferOf>[0], changes: { readonly amount?: number } = {}) {
  return { ...transferOf(ends), amount: 250, ...changes };
}

/** What became of each line: a code, or `pointer code`, or null where it was imported or unchanged. */
type Import = (pair: Pick<Pair, 'program' | 'caller'>, lines: readonly object[]) => Promise<(string | null)[]>;

interface Rejected {
  readonly line: number;
  readonly pointer: string;
  readonly code: string;
}

const IMPORTS: Readonly<Record<string, Import>> = {
  'the command line': async ({ program }, lines) => {
    const outcomes = await importing(gateway, 'transfers', program, lines);
    return outcomes.map(outcome => {
      if (outcome === 'new' || outcome === 'unchanged') return null;
      return typeof outcome === 'string' ? outcome : outcome.join(', ');
    });
  },
  REST: async ({ caller }, lines) => {
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    const { body } = await gateway.as(caller).rest.post('/imports/transfers', { lines: text });
    const rejected = new Map((body.rejected as Rejected[]).map(({ line, ...fault }) => [line, fault]));
    return lines.map((_, index) => {
      const fault = rejected.get(index + 1);
      return fault ? [fault.pointer, fault.code].filter(Boolean).join(' ') : null;
    });
  },
};

const balancesOf = async ({ from, to }: Pair) =>
  Promise.all([from, to].map(async of => (await seenBy(gateway, of)).availableBalance));

describe.each(Object.entries(IMPORTS))('over %s', (_api, send) => {
  test('each line moves money between two accounts, in their order, with an event in both chains', async () => {
    const pair = await pairOf(gateway);
    const lines = [lineOf(pair, { amount: 900 }), lineOf({ from: pair.to, to: pair.from }, { amount: 850.5 })];
    expect(await send(pair, lines)).toEqual([null, null]);
    expect(await balancesOf(pair)).toEqual(['950.50', '49.50']);
    const { rows } = await gateway.sql.query(
      `SELECT account_id, object FROM account_event WHERE action = 'transfer.make' AND account_id = ANY ($1)
        ORDER BY account_id = $2 DESC, chain_seq`,
      [[pair.from.account, pair.to.account], pair.from.account],
    );
    const objects = lines.map(({ transferId }) => `transfer/${transferId}`);
    expect(rows).toEqual(
      [pair.from, pair.to].flatMap(({ account }) => objects.map(object => ({ account_id: account, object }))),
    );
  });

  test('a transfer that was made is unchanged, and other content under its id is rejected', async () => {
    const pair = await pairOf(gateway);
    const [line, other] = [lineOf(pair, { amount: 10 }), lineOf(pair, { amount: 10 })];
    expect(await send(pair, [line, line])).toEqual([null, null]);
    expect(await send(pair, [line, { ...line, amount: 11 }, other])).toEqual([null, 'transfer_mismatch', null]);
    expect(await balancesOf(pair)).toEqual(['980.00', '20.00']);
  });

  test('a line is rejected for what a request would be refused for, and the others are imported', async () => {
    const pair = await pairOf(gateway);
    const { program } = pair;
    await gateway.given.programRecord(program, {
      checkFunds: true,
      transfers: { limits: [{ currency: 'USD', perDay: '700' }] },
    });
    const stranger = await gateway.given.account();
    const yen = await gateway.given.account({ program, currency: 'JPY' });
    const closed = await gateway.given.account({ program, status: 'CLOSED' });
    const restricted = await gateway.given.account({ program, status: 'RESTRICTED' });
    const lines = [
      lineOf(pair, { amount: 600 }),
      lineOf({ from: pair.from, to: pair.from }),
      lineOf({ from: stranger, to: pair.to }),
      lineOf({ from: pair.from, to: { account: unique('acc') } }),
      lineOf({ from: pair.from, to: yen }),
      lineOf({ from: pair.from, to: closed }),
      lineOf({ from: restricted, to: pair.to }),
      lineOf(pair, { amount: 1.001 }),
      lineOf(pair, { amount: 100.01 }),
      lineOf({ from: pair.to, to: pair.from }, { amount: 600.01 }),
      { ...lineOf(pair), colour: 'red' },
      lineOf(pair, { amount: 100 }),
    ];
    expect(await send(pair, lines)).toEqual([
      null,
      'same_account',
      'account_not_found',
      'account_not_found',
      'currency_mismatch',
      'account_closed',
      'account_restricted',
      '/amount currency_digits',
      '/amount per_day',
      'insufficient_funds',
      '/colour unknown_field',
      null,
    ]);
    expect(await balancesOf(pair)).toEqual(['300.00', '700.00']);
    expect((await seenBy(gateway, pair.to)).transfers.totalCount).toBe(2);
  });
});

test('what would wait for an approval is not imported over the API, and is from the command line', async () => {
  const pair = await pairOf(gateway);
  await gateway.given.programRecord(pair.program, {
    approvals: { transfersAbove: [{ currency: 'USD', amount: '100.00' }] },
  });
  const lines = [lineOf(pair, { amount: 100 }), lineOf(pair, { amount: 100.01 })];
  expect(await IMPORTS['REST']?.(pair, lines)).toEqual([null, 'transfer_waits']);
  expect(await IMPORTS['the command line']?.(pair, lines)).toEqual([null, null]);
  expect(await balancesOf(pair)).toEqual(['799.99', '200.01']);
});

test('a dry run has the same answer, and moves nothing', async () => {
  const pair = await pairOf(gateway);
  const lines = [lineOf(pair, { amount: 1000 }), lineOf({ from: pair.to, to: { account: unique('acc') } })];
  const body = { lines: lines.map(line => `${JSON.stringify(line)}\n`).join('') };
  const { rest } = gateway.as(pair.caller);
  const tried = await rest.post('/imports/transfers?dryRun=true', body);
  expect(tried.body).toMatchObject({ read: 2, written: 1, unchanged: 0, rejected: [{ code: 'account_not_found' }] });
  expect(await balancesOf(pair)).toEqual(['1000.00', '0.00']);
  expect((await rest.post('/imports/transfers', body)).body).toEqual(tried.body);
});
