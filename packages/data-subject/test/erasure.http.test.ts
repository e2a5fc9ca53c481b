import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../../src/shared/caller.js';
import { customerRecord, importing } from '../../../test/cli/importing.js';
import { newCard } from '../../../test/support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import type { GivenCustomer } from '../../../test/support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const ERASE = `mutation ($id: ID!, $reason: String!, $dryRun: Boolean) {
  eraseCustomer(input: { customerId: $id, reason: $reason, dryRun: $dryRun }) { customer {
    customerId name { first middle last } taxId governmentId dateOfBirth contact { email } addresses { line1 } erasedAt version } } }`;
const READ = `query ($id: ID!) { customer(customerId: $id) { name { last } erasedAt version } }`;
const input = { reason: 'Request 2026-118 of the customer' };
const because = { reason: 'Because' };

/** A customer with a closed account, a closed card, and a note; and an operator. */
async function former(): Promise<GivenCustomer & { account: string; cardId: string; operator: string }> {
  const given = await gateway.given.customer();
  const { program, customer } = given;
  const { account } = await gateway.given.account({ program, owners: [customer] });
  const operator = await gateway.caller({ program, scopes: SCOPES });
  const { rest } = gateway.as(operator);
  const card = newCard(account, customer);
  expect((await rest.post('/cards/v1/cards', card)).status).toBe(201);
  expect((await rest.post(`/accounts/${account}/close`, because)).status).toBe(200);
  expect((await rest.post('/notes', { customerId: customer, text: 'Moves to Lisbon.' })).status).toBe(201);
  return { ...given, account, cardId: card.cardId, operator };
}

async function customerRow(customerId: string): Promise<Record<string, unknown>> {
  const { rows } = await gateway.sql.query('SELECT * FROM customer WHERE customer_id = $1', [customerId]);
  return rows[0] as Record<string, unknown>;
}

const statusOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('a customer who has nothing at the bank any more', () => {
  test('is erased for good over GraphQL: the record, the notes, and the numbers of cards', async () => {
    const { customer, program, account, cardId, operator, email } = await former();
    const me = gateway.as(operator);
    for (const table of ['customer', 'card']) {
      await gateway.sql.query(
        `UPDATE ${table} SET metadata = '{"crm":"c-1"}' WHERE ${table === 'card' ? 'card_id' : 'customer_id::text'} = $1`,
        [table === 'card' ? cardId : customer],
      );
    }
    const before = await gateway.sql.query('SELECT sealed_number, number_digest FROM card WHERE account_id = $1', [
      account,
    ]);
    const { data, errors } = await me.graphql(ERASE, { id: customer, ...input });
    expect(errors).toBeUndefined();
    expect(data.eraseCustomer.customer).toEqual({
      customerId: customer,
      name: { first: '', middle: null, last: 'Erased' },
      taxId: null,
      governmentId: null,
      dateOfBirth: null,
      contact: { email: [] },
      addresses: [],
      erasedAt: expect.any(String),
      version: 3,
    });
    const { erasedAt } = data.eraseCustomer.customer;
    expect((await me.graphql(READ, { id: customer })).data.customer).toEqual({
      name: { last: 'Erased' },
      erasedAt,
      version: 3,
    });
    const { sealed, ...columns } = await customerRow(customer);
    expect(columns).toMatchObject({
      tax_id: null,
      tax_id_digest: null,
      tax_id_country: null,
      government_id: null,
      metadata: {},
    });
    const kept = await gateway.opened(`customer/${customer}`, sealed as Buffer);
    expect(JSON.stringify(kept)).not.toContain(email);
    const { rows: cards } = await gateway.sql.query('SELECT * FROM card WHERE account_id = $1', [account]);
    expect(cards).toMatchObject([{ card_id: cardId, status: 'CLOSED', pin_verification: null, metadata: {} }]);
    expect(cards[0].number_digest).not.toEqual(before.rows[0].number_digest);
    const number = await gateway.openedCard(`card/${account}/${cardId}`, cards[0].sealed_number);
    expect(number).toBe(`erased ${account}/${cardId}`);
    const { rows: notes } = await gateway.sql.query('SELECT * FROM note WHERE customer_id = $1', [customer]);
    expect(notes).toEqual([]);
    await gateway.recorded();
    const { rows: events } = await gateway.sql.query(
      `SELECT action, object, data FROM event WHERE program = $1 AND action = 'customer.erase'`,
      [program],
    );
    expect(events).toEqual([{ action: 'customer.erase', object: `customer/${customer}`, data: input }]);
  });

  test('is erased alike over REST, once for each key', async () => {
    const { customer, operator } = await former();
    const { rest } = gateway.as(operator);
    const key = keyed(unique('key'));
    const first = await rest.post(`/customers/${customer.toUpperCase()}/erase`, input, key);
    expect([first.status, first.headers['etag']]).toEqual([200, expect.stringMatching(/^"2-/)]);
    expect(first.body).toMatchObject({ customerId: customer, name: { last: 'Erased' }, taxId: '', addresses: [] });
    const again = await rest.post(`/customers/${customer}/erase`, input, key);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', first.body]);
    expect((await rest.get(`/customers/${customer}`)).body).toEqual(first.body);
    expect(statusOf(await rest.post(`/customers/${customer}/erase`, input))).toEqual([409, 'customer_erased']);
  });

  test('is not shown by what was written before and is sent again under its key', async () => {
    const { customer, operator } = await former();
    const { rest } = gateway.as(operator);
    const name = { name: { first: 'Ada', last: 'Formerly' } };
    const made = () => rest.post('/customers', { ...customerRecord(), customerId: undefined, ...name }, keyed('made'));
    const { body: second } = await made();
    const changed = () => rest.patch(`/customers/${customer}`, name, keyed('changed'));
    const noted = () => rest.post('/notes', { customerId: customer, text: 'Was Formerly.' }, keyed('noted'));
    expect([(await changed()).body.name.last, (await noted()).body.text]).toEqual(['Formerly', 'Was Formerly.']);
    for (const id of [customer, second.customerId]) {
      expect((await rest.post(`/customers/${id}/erase`, input)).status).toBe(200);
    }
    const again = [await changed(), await made(), await noted()];
    expect(JSON.stringify(again.map(({ body }) => body))).not.toMatch(/Ada|Formerly/);
    expect(again.slice(0, 2).map(({ body }) => body.name.last)).toEqual(['Erased', 'Erased']);
    expect(again.slice(0, 2).map(({ headers }) => headers['idempotent-replayed'])).toEqual(['true', 'true']);
    expect(statusOf(again[2] as Parameters<typeof statusOf>[0])).toEqual([404, 'customer_not_found']);
  });

  test('is not found by name and tax id, and nothing more is written about the person', async () => {
    const { customer, program, operator, taxId } = await former();
    const me = gateway.as(operator);
    const { rest } = me;
    const { name_last: last } = await customerRow(customer);
    const hits = async (text: unknown) => {
      const { body } = await rest.get(`/search?text=${encodeURIComponent(String(text))}`);
      return (body.hits as { customerId: string }[]).filter(({ customerId }) => customerId === customer).length;
    };
    expect([await hits(last), await hits(taxId.slice(-4))]).toEqual([1, 1]);
    await rest.post(`/customers/${customer}/erase`, input);
    expect([await hits(last), await hits(taxId.slice(-4)), await hits('Erased'), await hits(customer)]).toEqual([
      0, 0, 0, 1,
    ]);
    const patched = await rest.patch(`/customers/${customer}`, { name: { last: 'Back' } });
    expect(statusOf(patched)).toEqual([409, 'customer_erased']);
    const noted = await rest.post('/notes', { customerId: customer, text: 'Moved to Porto.' });
    expect(statusOf(noted)).toEqual([404, 'customer_not_found']);
    const record = { ...customerRecord(), customerId: customer };
    expect(await importing(gateway, 'customers', program, [record])).toEqual([expect.stringMatching(/erased/)]);
    const other = await gateway.given.account({ program });
    const added = await rest.post(`/accounts/${other.account}/owners/add`, { holders: [{ customerId: customer }] });
    expect(added.body).toMatchObject({ holders: [{ ownerStatus: 'Failed to Add' }] });
    const carded = await rest.post('/cards/v1/cards', newCard(other.account, customer));
    expect(statusOf(carded)).toEqual([422, 'rule_broken']);
  });

  test('waits for another person where the program says so', async () => {
    const { customer, program, operator } = await former();
    await gateway.given.programRecord(program, { approvals: { erasingCustomers: true } });
    const { rest } = gateway.as(operator);
    const waiting = await rest.post(`/customers/${customer}/erase`, input, keyed(unique('key')));
    expect([waiting.status, waiting.body.command]).toEqual([202, 'customer.erase']);
    expect((await customerRow(customer))['erased_at']).toBeNull();
    const other = gateway.as(await gateway.caller({ program, scopes: SCOPES, subject: unique('approver') }));
    const { name_last } = await customerRow(customer);
    const { body: read } = await other.rest.get(`/approvals/${waiting.body.approvalId}`);
    expect(read.changes).toEqual([{ field: 'name', before: `Ada ${String(name_last)}`, after: 'Erased' }]);
    const approved = await other.rest.post(
      `/approvals/${waiting.body.approvalId}/approve`,
      undefined,
      keyed(unique('key')),
    );
    expect(approved.body).toMatchObject({ status: 'APPROVED', code: '' });
    expect((await customerRow(customer))['erased_at']).not.toBeNull();
  });

  test('is only tried by a dry run', async () => {
    const { customer, operator } = await former();
    const { rest } = gateway.as(operator);
    const tried = await rest.post(`/customers/${customer}/erase?dryRun=true`, input);
    expect([tried.status, tried.body.name.last]).toEqual([200, 'Erased']);
    expect(await customerRow(customer)).toMatchObject({ erased_at: null, version: 1 });
  });
});

test('who owns an open account or holds a usable card is not erased, and the refusal names them', async () => {
  const { program, customer } = await gateway.given.customer();
  const owned = await gateway.given.account({ program, owners: [customer] });
  const held = await gateway.given.account({ program });
  const operator = await gateway.caller({ program, scopes: SCOPES });
  const { rest } = gateway.as(operator);
  const card = newCard(held.account, customer);
  await rest.post('/cards/v1/cards', card);
  const refused = await rest.post(`/customers/${customer}/erase`, input);
  expect(statusOf(refused)).toEqual([409, 'customer_in_use']);
  expect(refused.body.detail).toContain(owned.account);
  expect(refused.body.detail).toContain(card.cardId);
  expect(await customerRow(customer)).toMatchObject({ erased_at: null, version: 1 });
  const stranger = gateway.as(await gateway.caller({ scopes: SCOPES }));
  const unseen = await stranger.rest.post(`/customers/${customer}/erase`, input);
  expect(statusOf(unseen)).toEqual([404, 'customer_not_found']);
  expect(statusOf(await rest.post('/customers/nobody/erase', input))).toEqual([404, 'customer_not_found']);
  for (const reason of ['', 'x'.repeat(201), 'a\nb']) {
    const bad = await rest.post(`/customers/${customer}/erase`, { reason });
    expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/reason']);
    const { errors } = await gateway.as(operator).graphql(ERASE, { id: customer, reason });
    expect(errors?.[0].extensions).toMatchObject({ code: 'RULE_BROKEN', errors: [{ pointer: '/input/reason' }] });
  }
  const stale = await rest.post(`/customers/${customer}/erase`, input, { 'If-Match': '"7"' });
  expect(stale.status).toBe(412);
});

const GIVEN = {
  owner: {
    path: (account: string) => `/accounts/${account}/owners/add`,
    body: (_account: string, customerId: string) => ({ holders: [{ customerId }] }),
    rows: 'account_owner t WHERE t.customer_id',
  },
  card: {
    path: () => '/cards/v1/cards',
    body: (account: string, customerId: string) => newCard(account, customerId),
    rows: 'card t WHERE t.card_holder_id',
  },
};

test.each(Object.entries(GIVEN))(
  'nobody is given an account or a card while being erased: %s',
  async (_what, given) => {
    const program = gateway.given.program();
    const { rest } = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
    for (let round = 0; round < 20; round++) {
      const { customer } = await gateway.given.customer({ program });
      const { account } = await gateway.given.account({ program });
      const giving = () => rest.post(given.path(account), given.body(account, customer));
      const erasing = () => rest.post(`/customers/${customer}/erase`, input);
      const [first, second] = round % 2 === 0 ? [giving, erasing] : [erasing, giving];
      await Promise.all([first(), second()]);
      const isErased = (await customerRow(customer))['erased_at'] !== null;
      const { rowCount } = await gateway.sql.query(`SELECT FROM ${given.rows}::text = $1`, [customer]);
      expect(isErased).toBe(rowCount === 0);
    }
  },
);
