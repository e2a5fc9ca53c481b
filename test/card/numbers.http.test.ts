import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Migration } from '@mikro-orm/migrations';
import { Migration20261123030000_card_number_in_program as InProgram } from '../../migrations/Migration20261123030000_card_number_in_program.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { cardNumber, newCard } from '../support/card.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
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

/** What the migration does, or undoes, as statements. */
async function run(way: 'up' | 'down'): Promise<void> {
  const migration: Migration = new InProgram(null as never, null as never);
  await migration[way]();
  for (const statement of migration.getQueries()) await gateway.sql.query(statement as string);
}

/** What the release before wrote of a card: its digest holds no program. */
async function writtenBefore({ account, owners }: GivenAccount, number: string): Promise<void> {
  await gateway.sql.query(
    `INSERT INTO card VALUES ($1, $2, 'VIRTUAL', '****', $3, 'USD', '1299', $4, 'p', false, 'ACTIVE', now(), '', $5, NULL)`,
    [account, unique('card'), number.slice(-4), owners[0], KeyRing.parse(KEYS).digest('card number', number)],
  );
}

const migrated = testUnless(differsOnCitus('earlierReleases'));

migrated('cards of the time before keep their numbers, and the release before takes none that is taken', async () => {
  const one = await gateway.given.account();
  const neighbour = await gateway.given.account({ program: one.program });
  const elsewhere = await gateway.given.account();
  const [old, later] = [cardNumber(), cardNumber()];
  await run('down');
  await writtenBefore(one, old);
  await run('up');
  expect(await made(neighbour, old)).toEqual(EXISTS);
  expect(await made(elsewhere, old)).toEqual(CREATED);

  expect(await made(one, later)).toEqual(CREATED);
  await expect(writtenBefore(neighbour, later)).rejects.toMatchObject({ code: '23505' });
  await writtenBefore(elsewhere, later);
  expect(await made(elsewhere, later)).toEqual(EXISTS);
});

test('a digest that is written again, as a restored dump does, stays what it is', async () => {
  const one = await gateway.given.account();
  await made(one, cardNumber());
  const before = await digestsOf(one);
  await gateway.sql.query('UPDATE card SET number_digest = number_digest WHERE account_id = $1', [one.account]);
  expect(await digestsOf(one)).toEqual(before);
});
