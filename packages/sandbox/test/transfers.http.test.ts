import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import {
  make,
  ofGraphql,
  ofRest,
  pairOf,
  seenBy,
  transferOf,
  TRANSFER,
  type Pair,
} from '../../../test/transfer/support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

type Simulation = 'incoming-transfer' | 'transfer-return';
const FIELDS = {
  'incoming-transfer': ['simulateIncomingTransfer', 'SimulatedTransferInput'],
  'transfer-return': ['simulateTransferReturn', 'SimulatedTransferReturnInput'],
} as const;
const APIS = ['REST', 'GraphQL'] as const;

/** Two accounts: the one with money sends it to the other. */
async function given(api: (typeof APIS)[number]) {
  const pair = await pairOf(gateway);
  const client = gateway.as(pair.caller);
  const simulate = async (simulation: Simulation, wish: object, headers = {}) => {
    const input = { accountId: pair.to.account, ...wish };
    if (api === 'REST') return ofRest(await client.rest.post(`/simulate/${simulation}`, input, headers));
    const [field, type] = FIELDS[simulation];
    const texts = 'amount' in input ? { ...input, amount: String(input.amount) } : input;
    const query = `mutation ($input: ${type}!) { transfer: ${field}(input: $input) { transfer { ${TRANSFER} } } }`;
    const answer = await client.graphql(query, { input: texts }, { headers });
    return ofGraphql(answer.errors, answer.data?.transfer ?? null, answer.headers);
  };
  return { ...pair, simulate };
}

async function balancesOf({ from, to }: Pair): Promise<string[]> {
  const seen = await Promise.all([from, to].map(account => seenBy(gateway, account)));
  return seen.map(({ availableBalance }) => availableBalance);
}

describe.each(APIS)('over %s', api => {
  test('money comes in from another account, and goes back once', async () => {
    const { simulate, ...pair } = await given(api);
    const incoming = { fromAccountId: pair.from.account, amount: 250, description: 'Made to happen' };
    const made = await simulate('incoming-transfer', incoming);
    expect(made).toMatchObject({
      code: null,
      transfer: {
        transferId: expect.stringMatching(/^incoming-transfer~[0-9a-f]{12}$/),
        fromAccountId: pair.from.account,
        toAccountId: pair.to.account,
        status: 'MADE',
        description: 'Made to happen',
      },
    });
    expect(await balancesOf(pair)).toEqual(['750.00', '250.00']);

    const transferId = made.transfer?.transferId;
    expect(await simulate('transfer-return', { transferId })).toMatchObject({ transfer: { status: 'REVERSED' } });
    expect(await balancesOf(pair)).toEqual(['1000.00', '0.00']);
    expect((await simulate('transfer-return', { transferId })).code).toBe('already_reversed');
    const { transactions } = await seenBy(gateway, pair.to);
    expect(transactions.nodes.map(({ transactionId }) => transactionId)).toEqual([
      `${transferId}~in~reversal`,
      `${transferId}~in`,
    ]);
  });

  test('what a seed gives is made once, and returned to whom received it alone', async () => {
    const { simulate, ...pair } = await given(api);
    const fromAccountId = pair.from.account;
    const made = await simulate('incoming-transfer', { fromAccountId, seed: 7 });
    expect(Number(made.transfer?.amount)).toBeGreaterThan(0);
    expect((await simulate('incoming-transfer', { fromAccountId, seed: 7, amount: 1 })).code).toBe('simulation_exists');
    const transferId = made.transfer?.transferId;
    const wrong = await simulate('transfer-return', { accountId: fromAccountId, transferId });
    expect(wrong.code).toBe('transfer_not_found');
    expect((await seenBy(gateway, pair.to)).transactions.nodes).toHaveLength(1);
  });

  test('happens once under one key', async () => {
    const { simulate, ...pair } = await given(api);
    const incoming = { fromAccountId: pair.from.account };
    const [made, again] = [
      await simulate('incoming-transfer', incoming, keyed('in')),
      await simulate('incoming-transfer', incoming, keyed('in')),
    ];
    expect(again).toEqual({ ...made, replayed: true });
    const { transferId } = made.transfer as { transferId: string };
    const back = await simulate('transfer-return', { transferId }, keyed('back'));
    expect(await simulate('transfer-return', { transferId }, keyed('back'))).toEqual({ ...back, replayed: true });
    expect((await seenBy(gateway, pair.to)).transactions.nodes).toHaveLength(2);
  });

  test('what a transfer is refused for, a simulated one is, and nothing is written', async () => {
    const { simulate, ...pair } = await given(api);
    const stranger = await gateway.given.account();
    const accountId = pair.to.account;
    expect((await simulate('incoming-transfer', { fromAccountId: accountId })).code).toBe('same_account');
    expect((await simulate('incoming-transfer', { fromAccountId: stranger.account })).code).toBe('account_not_found');
    const foreign = transferOf({ from: stranger, to: pair.to });
    expect((await make(gateway, api, pair.caller, foreign)).code).toBe('account_not_found');
    expect((await simulate('transfer-return', { transferId: 'none' })).code).toBe('transfer_not_found');
    expect((await seenBy(gateway, pair.to)).transactions.nodes).toEqual([]);
  });
});
