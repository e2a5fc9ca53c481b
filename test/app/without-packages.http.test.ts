import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newCard } from '../support/card.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { newBeneficiary } from '../support/given.js';
import { emptyDatabase, type FreshDatabase } from '../support/postgres.js';
import type * as Inside from './without-packages.inside.js';

const MODULE = 'test/app/without-packages';

let gateway: TestGateway;
let database: FreshDatabase;
beforeAll(async () => {
  database = await emptyDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url }, undefined, MODULE);
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

test('without the packages every route of the contract answers', async () => {
  const { caller, account, owners, path: statement, program } = await gateway.given.statement();
  const { customer } = await gateway.given.customer({ program });
  const { rest } = gateway.as(caller);
  const list = `/accounts/${account}/beneficiaries`;
  const added = await rest.post(list, newBeneficiary());
  const one = `${list}/${added.body.beneficiaryId}`;
  const answers = [
    added,
    await rest.get(list),
    await rest.get(one),
    await rest.patch(one, { sharePercentage: 30 }),
    await rest.delete(one),
    await rest.post(`/accounts/${account}/owners/add`, { holders: [{ customerId: customer }] }),
    await rest.post(`/accounts/${account}/owners/remove`, { holders: [{ customerId: customer }] }),
    await rest.get(`/accounts/${account}/statements`),
    await rest.get(statement),
    await rest.get(`/accounts/${account}/transactions`),
    await rest.post('/cards/v1/cards', newCard(account, owners[0] as string)),
  ];
  expect(answers.map(({ status }) => status).filter(status => status >= 300)).toEqual([]);
});

test('without the packages nothing of them is served, over GraphQL or REST', async () => {
  const { caller, account } = await gateway.given.account();
  const client = gateway.as(caller);
  const read = await client.graphql('query ($account: ID!) { account(accountId: $account) { status } }', { account });
  expect(read.data).toEqual({ account: { status: 'OPEN' } });
  const { data } = await client.graphql('{ __schema { types { name fields { name } enumValues { name } } } }');
  const names = data.__schema.types.flatMap(
    ({ name, fields, enumValues }: Record<'fields' | 'enumValues', { name: string }[] | null> & { name: string }) => [
      name,
      ...[...(fields ?? []), ...(enumValues ?? [])].map(one => one.name),
    ],
  );
  expect(names).toContain('addBeneficiary');
  const ofPackages = /^webhook|taxFiling|simulat|eraseCustomer|overview/i;
  expect(names.filter((name: string) => ofPackages.test(name))).toEqual([]);
  const { body } = await client.rest.get('/openapi.json');
  expect(Object.keys(body.paths).filter(path => /webhook|tax|simulate|erase|overview/.test(path))).toEqual([]);
  const { body: problems } = await client.rest.get('/problems');
  expect([names, problems].join()).not.toMatch(
    /webhook_(endpoint|delivery)|tax_(filing|year)_|simulation_exists|customer_in_use/,
  );
});

test('a database without the packages has none of their tables, and their migrations add these', async () => {
  const tables = async (): Promise<string[]> => {
    const { rows } = await gateway.sql.query<{ name: string }>(
      `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    return rows.map(({ name }) => name);
  };
  const ofPackages = (name: string): boolean => /^(webhook|tax|sandbox|overview)_/.test(name);
  expect((await tables()).filter(ofPackages)).toEqual([]);
  const expected = await gateway.module<typeof Inside>(MODULE).migrateWhole(database.url);
  expect(expected.filter(ofPackages).length).toBeGreaterThan(9);
  expect(await tables()).toEqual(expect.arrayContaining(expected));
});
