import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { cardNumber, newCard } from '../support/card.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';

const KEYS = KeyRing.generate();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ fieldKeys: KEYS });
});
afterAll(() => gateway.stop());

async function made(of: GivenAccount, number: string): Promise<[status: number, code: string | undefined]> {
  const card = newCard(of.account, of.owners[0] as string, { number, last4: number.slice(-4) });
  const { status, body } = await gateway.as(of.caller).rest.post('/cards/v1/cards', card);
  return [status, body.code];
}

const CREATED = [201, undefined];
const EXISTS = [409, 'card_exists'];

async function digestsOf(...accounts: GivenAccount[]): Promise<Buffer[]> {
  const { rows } = await gateway.sql.query<{ number_digest: Buffer }>(
    'SELECT number_digest FROM card WHERE account_id = ANY($1)',
    [accounts.map(({ account }) => account)],
  );
  return rows.map(row => row.number_digest);
}

test('a number is taken in its program: another account of it cannot have it, and another program learns nothing', async () => {
  const one = await gateway.given.account();
  const neighbour = await gateway.given.account({ program: one.program });
  const elsewhere = await gateway.given.account();
  const number = cardNumber();
  expect(await made(one, number)).toEqual(CREATED);
  expect(await made(neighbour, number)).toEqual(EXISTS);
  expect(await made(elsewhere, number)).toEqual(CREATED);
  expect(await made(elsewhere, number)).toEqual(EXISTS);
});

test('of many who give one program the same number at the same moment one has it; of two programs both', async () => {
  const one = await gateway.given.account();
  const others = await Promise.all([1, 2, 3, 4].map(() => gateway.given.account({ program: one.program })));
  const elsewhere = await gateway.given.account();
  const number = cardNumber();
  const answers = await Promise.all([one, ...others, elsewhere].map(of => made(of, number)));
  expect(answers.at(-1)).toEqual(CREATED);
  expect(answers.slice(0, -1).toSorted(([first], [second]) => first - second)).toEqual([
    CREATED,
    ...others.map(() => EXISTS),
  ]);
});

test('what is stored does not show that two programs have the same number', async () => {
  const [one, two] = [await gateway.given.account(), await gateway.given.account()];
  const number = cardNumber();
  await made(one, number);
  await made(two, number);
  const digests = await digestsOf(one, two);
  const keyed = KeyRing.parse(KEYS).digest('card number', number);
  expect(digests).toHaveLength(2);
  const tails = digests.map(digest => digest.subarray(-32).toString('hex'));
  expect(new Set([...tails, keyed.subarray(-32).toString('hex')]).size).toBe(3);
});

test('a digest that is written again, as a restored dump does, stays what it is', async () => {
  const one = await gateway.given.account();
  await made(one, cardNumber());
  const before = await digestsOf(one);
  await gateway.sql.query('UPDATE card SET number_digest = number_digest WHERE account_id = $1', [one.account]);
  expect(await digestsOf(one)).toEqual(before);
});
