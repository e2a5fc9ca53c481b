import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_FOREIGN_IDS_A_MINUTE } from '../../src/platform/command/foreign-ids.js';
import { accountRecord, beneficiaryRecord, customerRecord } from '../cli/importing.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';

/** Which ids another program uses is found out by nobody, and that somebody tries is on record in that program. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

interface DeniedEvent {
  readonly accountId: string | null;
  readonly audit: { readonly action: string; readonly data: object };
}

async function deniedIn({ caller }: GivenAccount): Promise<DeniedEvent[]> {
  await gateway.recorded();
  const { data } = await gateway
    .as(caller)
    .graphql<{ events: { nodes: DeniedEvent[] } }>(
      '{ events(first: 100, filter: { outcome: DENIED }) { nodes { audit { action data } accountId } } }',
    );
  return data.events.nodes;
}

/** Somebody of another program, with a customer who can own accounts. */
async function stranger() {
  const { program, customer } = await gateway.given.customer();
  const me = gateway.as(await gateway.caller({ program, clientId: unique('client') }));
  return { ...me, graphql: me.graphql.bind(me), program, customer };
}

const OPEN = 'mutation ($input: AccountInput!) { openAccount(input: { account: $input }) { account { accountId } } }';
const linesOf = (records: readonly object[]) => records.map(record => JSON.stringify(record)).join('\n');

describe('an id of another program', () => {
  test.each(['REST', 'GraphQL'])('that is chosen for a new account cannot be used, over %s', async api => {
    const of = await gateway.given.account();
    const me = await stranger();
    const record = accountRecord([me.customer], { accountId: of.account });
    const problems =
      api === 'REST'
        ? (await me.rest.post('/accounts', record, keyed(unique('key')))).body.errors
        : (await me.graphql(OPEN, { input: record })).errors?.[0].extensions.errors;
    const pointer = api === 'REST' ? '/accountId' : '/input/account/accountId';
    expect(problems).toEqual([{ pointer, code: 'unusable_id', detail: 'This id cannot be used. Use another one.' }]);
    expect(await deniedIn(of)).toEqual([
      { accountId: of.account, audit: { action: 'account.open', data: { code: 'id_taken', program: me.program } } },
    ]);
  });

  test('that is chosen for a new customer cannot be used', async () => {
    const of = await gateway.given.account();
    const me = await stranger();
    const { status, body } = await me.rest.post('/customers', {
      customerId: of.owners[0],
      name: {
        first: 'A',
        last: 'B',
      },
    });
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/customerId', code: 'unusable_id' }]]);
    expect(await deniedIn(of)).toMatchObject([
      { accountId: null, audit: { action: 'customer.create', data: { code: 'id_taken', program: me.program } } },
    ]);
  });

  test.each([
    [
      'accounts',
      (of: GivenAccount, customer: string) => accountRecord([customer], { accountId: of.account }),
      'id_taken',
    ],
    ['customers', (of: GivenAccount) => customerRecord({ customerId: of.owners[0] }), 'id_taken'],
    [
      'beneficiaries',
      (of: GivenAccount) => beneficiaryRecord(of.account, { beneficiaryId: randomUUID() }),
      'account_not_found',
    ],
  ] as const)('in a line of an import of %s is on record there, a dry run as well', async (kind, record, code) => {
    const of = await gateway.given.account();
    const me = await stranger();
    const lines = linesOf([record(of, me.customer)]);
    for (const path of [`/imports/${kind}`, `/imports/${kind}?dryRun=true`]) {
      const { status, body } = await me.rest.post(path, { lines });
      expect([status, body.rejected.length]).toEqual([200, 1]);
    }
    const denied = await deniedIn(of);
    expect(denied.map(({ audit }) => [audit.action, audit.data])).toEqual(
      Array.from({ length: 2 }, () => ['record.import', { code, program: me.program }]),
    );
  });
});

test('ids that nobody has are not told from those of others by more than a few tries a minute', async () => {
  const of = await gateway.given.account();
  const me = await stranger();
  const open = (accountId: string) => me.rest.post('/accounts', accountRecord([me.customer], { accountId }));
  for (let n = 0; n < MAX_FOREIGN_IDS_A_MINUTE; n++) expect((await open(of.account)).status).toBe(422);
  const fresh = unique('fresh');
  for (const accountId of [of.account, fresh]) {
    const { status, body, headers } = await open(accountId);
    expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([429, 'rate_limited', true]);
  }
  expect((await me.rest.get(`/accounts/${fresh}`)).status).toBe(404);
  const imported = await me.rest.post('/imports/customers?dryRun=true', { lines: linesOf([customerRecord()]) });
  expect(imported.status).toBe(429);
  // A customer whose id the gateway gives is made all the same, and so is all that other clients make.
  expect((await me.rest.post('/customers', { name: { first: 'A', last: 'B' } })).status).toBe(201);
  const other = gateway.as(await gateway.caller({ program: me.program, clientId: unique('client') }));
  expect((await other.rest.post('/accounts', accountRecord([me.customer], { accountId: fresh }))).status).toBe(201);
});

test('an import with many ids of others is refused as a whole, and tells of none of them', async () => {
  const { customer, program } = await gateway.given.customer();
  const theirs = Array.from({ length: MAX_FOREIGN_IDS_A_MINUTE + 1 }, () => accountRecord([customer]));
  const owner = gateway.as(await gateway.caller({ program }));
  expect((await owner.rest.post('/imports/accounts', { lines: linesOf(theirs) })).body.written).toBe(theirs.length);
  const me = await stranger();
  const mine = accountRecord([me.customer]);
  const tried = theirs.map(({ accountId }) => accountRecord([me.customer], { accountId }));
  for (const path of ['/imports/accounts?dryRun=true', '/imports/accounts']) {
    const { status, body } = await me.rest.post(path, { lines: linesOf([mine, ...tried]) });
    expect([status, body.code, body.rejected]).toEqual([429, 'rate_limited', undefined]);
  }
  expect((await me.rest.get(`/accounts/${mine.accountId}`)).status).toBe(404);
  const caller = await gateway.caller({ program });
  expect((await deniedIn({ caller } as GivenAccount)).length).toBe(theirs.length);
});
