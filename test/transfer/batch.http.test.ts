import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { TRANSFER, pairOf, seenBy, transferOf, type Api, type Transfer } from './support/transfers.js';
import { restCode } from '../support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const MAKE = `mutation ($inputs: [TransferInput!]!, $dryRun: Boolean) { transfers: createTransfers(input: { transfers: $inputs, dryRun: $dryRun }) {
  results { transferId transfer { ${TRANSFER} } refusal { code message errors { pointer code } } } } }`;

interface Result {
  readonly transferId: string;
  readonly transfer?: Transfer | null;
  readonly refusal?: { readonly code: string; readonly errors: readonly { pointer: string; code: string }[] } | null;
}
interface Outcome {
  readonly code: string | null;
  readonly results: readonly Result[];
  readonly replayed: boolean;
}

async function makeAll(
  api: Api,
  caller: string,
  inputs: readonly object[],
  more: { key?: string; dryRun?: boolean } = {},
) {
  const { key, dryRun = false } = more;
  const headers = key === undefined ? {} : keyed(key);
  if (api === 'GraphQL') {
    const answer = await gateway
      .as(caller)
      .graphql<{ transfers: { results: Result[] } | null }>(MAKE, { inputs, dryRun }, { headers });
    return {
      code: restCode(answer.errors?.[0]?.extensions.code) ?? null,
      results: answer.data?.transfers?.results ?? [],
      replayed: answer.headers['idempotent-replayed'] === 'true',
    } satisfies Outcome;
  }
  const transfers = inputs.map(input => ({ ...input, amount: Number((input as { amount: string }).amount) }));
  const {
    status,
    body,
    headers: sent,
  } = await gateway.as(caller).rest.post(`/transfers/batch${dryRun ? '?dryRun=true' : ''}`, { transfers }, headers);
  return {
    code: status >= 400 ? body.code : null,
    results: body.results ?? [],
    replayed: sent['idempotent-replayed'] === 'true',
  } satisfies Outcome;
}

const codesOf = ({ results }: Outcome) => results.map(({ refusal }) => restCode(refusal?.code) ?? null);

describe.each(['GraphQL', 'REST'] as const)('over %s', api => {
  test('each of several transfers is made or refused by itself, in their order, with what those before it moved', async () => {
    const pair = await pairOf(gateway);
    await gateway.given.programRecord(pair.program, { checkFunds: true });
    const back = { from: pair.to, to: pair.from };
    const twice = transferOf(pair, { amount: '5.00' });
    const outcome = await makeAll(api, pair.caller, [
      transferOf(back, { amount: '1.00' }),
      transferOf(pair, { amount: '900.00' }),
      transferOf(pair, { amount: '100.01' }),
      transferOf(back, { amount: '50.00' }),
      transferOf(pair, { amount: '140.00' }),
      transferOf({ from: pair.from, to: pair.from }),
      transferOf({ from: pair.from, to: { account: unique('acc') } }),
      transferOf({ from: { account: unique('acc') }, to: pair.to }),
      transferOf(pair, { amount: '0.001' }),
      twice,
      twice,
      { ...twice, amount: '6.00' },
    ]);
    expect(codesOf(outcome)).toEqual([
      'insufficient_funds',
      null,
      'insufficient_funds',
      null,
      null,
      'same_account',
      'account_not_found',
      'account_not_found',
      'rule_broken',
      null,
      null,
      'transfer_mismatch',
    ]);
    expect(outcome.results[8]?.refusal?.errors).toMatchObject([{ pointer: '/amount', code: 'currency_digits' }]);
    const [from, to] = [await seenBy(gateway, pair.from), await seenBy(gateway, pair.to)];
    expect([from.availableBalance, to.availableBalance]).toEqual(['5.00', '995.00']);
    expect([from.transfers.totalCount, to.transfers.totalCount]).toEqual([4, 4]);
    // The balance after each is that of its place.
    expect(from.transactions.nodes.map(({ availableBalance }) => availableBalance)).toEqual([
      '5.00',
      '10.00',
      '150.00',
      '100.00',
      '1000.00',
    ]);
  });

  test('an account of another program is refused in the words of one that does not exist, and nothing moves', async () => {
    const [pair, foreign] = [await pairOf(gateway), await pairOf(gateway)];
    const { results }: Outcome = await makeAll(api, pair.caller, [
      transferOf({ from: foreign.from, to: pair.to }),
      transferOf({ from: pair.from, to: foreign.to }),
      transferOf({ from: { account: unique('acc') }, to: pair.to }),
      transferOf({ from: pair.from, to: { account: unique('acc') } }),
    ]);
    const [hiddenFrom, hiddenTo, absentFrom, absentTo] = results.map(({ refusal }) => refusal);
    expect([hiddenFrom, hiddenTo]).toEqual([absentFrom, absentTo]);
    expect(restCode(absentFrom?.code)).toBe('account_not_found');
    for (const account of [pair.from, foreign.from]) {
      expect((await seenBy(gateway, account)).transfers.totalCount).toBe(0);
    }
  });

  test('they are one write under one key: repeated it is answered as a whole, and other content is refused', async () => {
    const pair = await pairOf(gateway);
    const inputs = [transferOf(pair), transferOf(pair, { fromAccountId: unique('acc') }), transferOf(pair)];
    const key = unique('key');
    const first = await makeAll(api, pair.caller, inputs, { key });
    expect([codesOf(first), first.replayed]).toEqual([[null, 'account_not_found', null], false]);
    expect(await makeAll(api, pair.caller, inputs, { key })).toEqual({ ...first, replayed: true });
    const other = await makeAll(api, pair.caller, inputs.slice(0, 1), { key });
    expect(other.code).toBe('idempotency_key_reused');
    expect((await seenBy(gateway, pair.from)).availableBalance).toBe('500.00');
  });

  test('a batch whose first account is not there is repeated like any other', async () => {
    const pair = await pairOf(gateway);
    const inputs = [transferOf(pair, { fromAccountId: unique('acc') }), transferOf(pair)];
    const key = unique('key');
    const first = await makeAll(api, pair.caller, inputs, { key });
    expect(codesOf(first)).toEqual(['account_not_found', null]);
    expect(await makeAll(api, pair.caller, inputs, { key })).toEqual({ ...first, replayed: true });
  });

  test('a customer who owns an account no longer is not told again what was made of its money', async () => {
    const { from, program, caller } = await pairOf(gateway);
    const [first, second] = await Promise.all(
      [0, 1].map(() => gateway.given.account({ program, owners: from.owners })),
    );
    const customer = await gateway.caller({ program, customerId: from.owners[0] as string });
    const owned = { from, to: second as GivenAccount };
    const inputs = [transferOf(owned), transferOf({ from: second as GivenAccount, to: first as GivenAccount })];
    const key = unique('key');
    const made = await makeAll(api, customer, inputs, { key });
    expect(codesOf(made)).toEqual([null, null]);
    const ended = 'DELETE FROM account_owner WHERE account_id = $1';
    await gateway.sql.query(ended, [from.account]);
    const again = await makeAll(api, customer, inputs, { key });
    expect([codesOf(again), again.replayed]).toEqual([['account_not_found', null], true]);
    expect(again.results[1]).toEqual(made.results[1]);
    await gateway.sql.query(ended, [second?.account]);
    expect(codesOf(await makeAll(api, customer, inputs, { key }))).toEqual(['account_not_found', 'account_not_found']);
    expect((await seenBy(gateway, { ...from, caller })).transfers.totalCount).toBe(1);
  });

  test('a limit of a day holds for the transfers of one request together', async () => {
    const pair = await pairOf(gateway);
    await gateway.given.programRecord(pair.program, {
      transfers: { limits: [{ currency: 'USD', perDay: '25', transfersPerDay: 3 }] },
    });
    const amounts = ['10', '15.01', '10', '5', '1'];
    const outcome = await makeAll(
      api,
      pair.caller,
      amounts.map(amount => transferOf(pair, { amount })),
    );
    expect(codesOf(outcome)).toEqual([null, 'limit_exceeded', null, null, 'limit_exceeded']);
  });

  test('a customer moves money of his own accounts alone', async () => {
    const pair = await pairOf(gateway);
    const own = await gateway.given.account({ program: pair.program, owners: pair.from.owners });
    const customer = await gateway.caller({ program: pair.program, customerId: pair.from.owners[0] as string });
    const outcome = await makeAll(api, customer, [
      transferOf({ from: pair.to, to: own }),
      transferOf({ from: pair.from, to: own }),
      transferOf(pair),
    ]);
    expect(codesOf(outcome)).toEqual(['account_not_found', null, 'account_not_found']);
  });

  test('tried only, nothing is written', async () => {
    const pair = await pairOf(gateway);
    const outcome = await makeAll(api, pair.caller, [transferOf(pair), transferOf(pair, { amount: '0' })], {
      dryRun: true,
    });
    expect(codesOf(outcome)).toEqual([null, 'rule_broken']);
    expect((await seenBy(gateway, pair.from)).availableBalance).toBe('1000.00');
  });

  test('none and more than 100 are refused', async () => {
    const pair = await pairOf(gateway);
    expect((await makeAll(api, pair.caller, [])).code).toBe('rule_broken');
    const many = Array.from({ length: 101 }, () => transferOf(pair));
    expect((await makeAll(api, pair.caller, many)).code).toBe('rule_broken');
  });
});

test('both accounts of each have an event in their chains, with the number of its own transaction', async () => {
  const pair = await pairOf(gateway);
  await makeAll('REST', pair.caller, [transferOf(pair, { amount: '1' }), transferOf(pair, { amount: '2' })]);
  await gateway.feedReady();
  const { body } = await gateway.as(pair.caller).rest.get(`/events?accountId=${pair.to.account}&limit=100`);
  const made = (body.events as { type: string; data: { seq: number } }[]).filter(
    ({ type }) => type === 'transfer.made',
  );
  expect(made.map(({ data }) => data.seq)).toEqual([1, 2]);
});

test('batches in both directions at the same time end in no deadlock', async () => {
  const pair = await pairOf(gateway);
  const back = { from: pair.to, to: pair.from };
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      makeAll(
        n % 2 ? 'REST' : 'GraphQL',
        pair.caller,
        [...Array(10).keys()].map(m => transferOf((n + m) % 2 ? pair : back, { amount: '1' })),
      ),
    ),
  );
  expect(outcomes.flatMap(codesOf).filter(code => code !== null)).toEqual([]);
  expect((await seenBy(gateway, pair.from)).availableBalance).toBe('1000.00');
});
