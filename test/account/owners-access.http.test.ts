import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SCOPES } from '../../src/shared/caller.js';
import { restCode } from '../support/answers.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const MUTATIONS = { add: 'addAccountOwners', remove: 'removeAccountOwners' } as const;

/** One change over REST and over GraphQL: what is said of it, without what differs from request to request. */
async function changed(token: string, change: keyof typeof MUTATIONS, account: string, customer: string, key?: string) {
  const me = gateway.as(token);
  const headers = key === undefined ? {} : keyed(key);
  const path = `/accounts/${account}/owners/${change}`;
  const rest = await me.rest.post(path, { holders: [{ customerId: customer }] }, headers);
  const graphql = await me.graphql(
    `mutation ($a: ID!, $c: [ID!]!) { ${MUTATIONS[change]}(input: { accountId: $a, customerIds: $c }) { results { customerId } } }`,
    { a: account, c: [customer] },
    { headers },
  );
  const { detail, code } = rest.body;
  return {
    rest: [rest.status, code, detail],
    graphql: [graphql.status, restCode(graphql.errors?.[0].extensions.code), graphql.errors?.[0].message],
    replayed: rest.headers['idempotent-replayed'] ?? graphql.headers['idempotent-replayed'],
  };
}

async function ownersOf(account: string): Promise<string[]> {
  const { rows } = await gateway.sql.query<{ customer_id: string }>(
    'SELECT customer_id FROM account_owner WHERE account_id = $1 ORDER BY position',
    [account],
  );
  return rows.map(row => row.customer_id);
}

test.each(['add', 'remove'] as const)(
  "%s: a customer's token is refused alike whatever the account and the customer, and changes nothing",
  async change => {
    const of = await gateway.given.account({ owners: 2 });
    const elsewhere = await gateway.given.account();
    const stranger = (await gateway.given.customer({ program: of.program })).customer;
    const token = await gateway.caller({ program: of.program, customerId: of.owners[0] as string, scopes: SCOPES });
    const before = await ownersOf(of.account);
    const said = [
      await changed(token, change, of.account, stranger),
      await changed(token, change, of.account, of.owners[1] as string),
      await changed(token, change, of.account, randomUUID()),
      await changed(token, change, elsewhere.account, stranger),
      await changed(token, change, unique('no-account'), stranger, unique('key')),
    ];
    for (const each of said) expect(each).toEqual(said[0]);
    expect(said[0]).toEqual({
      rest: [403, 'program_wide_only', expect.any(String)],
      graphql: [403, 'program_wide_only', expect.any(String)],
      replayed: undefined,
    });
    expect(await ownersOf(of.account)).toEqual(before);
  },
);

test("a customer's token is not shown what was recorded under its key when it could change owners", async () => {
  const of = await gateway.given.account();
  const [customer, subject] = [of.owners[0] as string, of.owners[0] as string];
  const { customer: stranger } = await gateway.given.customer({ program: of.program });
  // The key belongs to program, client and subject, so this is the record that the customer's own request once left.
  const once = await gateway.caller({ program: of.program, subject });
  const [key, path] = [unique('key'), `/accounts/${of.account}/owners/add`];
  const holders = { holders: [{ customerId: stranger }] };
  expect((await gateway.as(once).rest.post(path, holders, keyed(key))).status).toBe(200);
  const again = await gateway.as(once).rest.post(path, holders, keyed(key));
  expect(again.headers['idempotent-replayed']).toBe('true');

  const now = await gateway.caller({ program: of.program, customerId: customer, subject });
  expect(await changed(now, 'add', of.account, stranger, key)).toEqual({
    rest: [403, 'program_wide_only', expect.any(String)],
    graphql: [403, 'program_wide_only', expect.any(String)],
    replayed: undefined,
  });
});

test('an answer that fails behind its record is not marked as one that is repeated', async () => {
  const of = await gateway.given.account();
  const { customer } = await gateway.given.customer({ program: of.program });
  const me = gateway.as(await gateway.caller({ program: of.program, scopes: SCOPES }));
  const [key, path] = [unique('key'), `/accounts/${of.account}/owners/add`];
  const add = async () => {
    const { status, headers } = await me.rest.post(path, { holders: [{ customerId: customer }] }, keyed(key));
    return [status, headers['idempotent-replayed']];
  };
  expect(await add()).toEqual([200, undefined]);
  // The whole government id is read for each answer. It is not kept in the record.
  const { rows } = await gateway.sql.query('SELECT sealed FROM customer WHERE customer_id = $1', [customer]);
  const seal = (bytes: unknown) =>
    gateway.sql.query('UPDATE customer SET sealed = $2 WHERE customer_id = $1', [customer, bytes]);
  await seal(Buffer.alloc(40));
  expect(await add()).toEqual([500, undefined]);
  await seal(rows[0]?.sealed);
  expect(await add()).toEqual([200, 'true']);
});

test('the attempt is on record in the program of the account', async () => {
  const of = await gateway.given.account();
  const customer = of.owners[0] as string;
  const token = await gateway.caller({ program: of.program, customerId: customer });
  await changed(token, 'remove', of.account, customer);
  await gateway.recorded();
  const { data } = await gateway
    .as(of.caller)
    .graphql('{ events(filter: { outcome: DENIED }) { nodes { audit { action subject data } accountId } } }');
  const denied = {
    accountId: of.account,
    audit: { action: 'owner.remove', subject: customer, data: { code: 'program_wide_only' } },
  };
  expect(data.events.nodes).toEqual([denied, denied]);
});
