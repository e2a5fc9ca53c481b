import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importing } from '../cli/importing.js';
import { USUAL_SCOPES, keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { digits } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const FIELDS = `customerId bankNumber name { first middle last } taxId taxIdCountry governmentId dateOfBirth
  contact { email telephones { type country number } } addresses { line1 line2 line3 city state postalCode country type }
  taxStatus taxStatusOn secondTinNoticeOn electronicTaxFormsOn`;
const CREATE = `mutation ($input: CustomerInput!) { createCustomer(input: { customer: $input }) { customer { ${FIELDS} } } }`;
const UPDATE = `mutation ($id: ID!, $input: CustomerPatch!) { updateCustomer(input: { customerId: $id, patch: $input }) { customer { ${FIELDS} } } }`;
const GET = `query ($id: ID!) { customer(customerId: $id) { ${FIELDS} } }`;

async function operator(program = gateway.given.program(), scopes = USUAL_SCOPES) {
  const token = await gateway.caller({ program, scopes });
  const me = gateway.as(token);
  return { program, rest: me.rest, graphql: me.graphql.bind(me) };
}

function newCustomer(changes: object = {}) {
  return {
    customerId: randomUUID(),
    bankNumber: `KD-${digits(6)}`,
    name: {
      first: 'Maren',
      middle: 'K',
      last: `Voss${digits(6)}`,
    },
    taxId: `9${digits(2)}-${digits(2)}-${digits(4)}`,
    taxIdCountry: 'US',
    governmentId: `P${digits(10)}`,
    dateOfBirth: '1970-02-03',
    contact: {
      email: [`${digits(8)}@customer.example`],
      telephones: [
        {
          type: 'CELL',
          country: 'US',
          number: `+1 555 ${digits(7)}`,
        },
      ],
    },
    addresses: [
      {
        line1: `${digits(5)} Elm Street`,
        line2: 'Flat 2',
        line3: 'Back',
        city: 'Springfield',
        state: 'IL',
        postalCode: '62704',
        country: 'US',
        type: 'HOME',
      },
    ],
    taxStatus: 'CERTIFIED',
    taxStatusOn: '2026-02-03',
    secondTinNoticeOn: '2026-03-04',
    electronicTaxFormsOn: '2026-04-05',
    ...changes,
  };
}
type CustomerBody = ReturnType<typeof newCustomer>;

const masked = (number: string) => '*'.repeat(number.length - 4) + number.slice(-4);
/** The record as both APIs show it to callers without `pii.read`. */
const shownOf = (sent: CustomerBody) => ({
  ...sent,
  taxId: masked(sent.taxId.replaceAll('-', '')),
  governmentId: masked(sent.governmentId),
});
const problemsOf = (errors: readonly { pointer: string; code: string }[]) =>
  errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a customer who is created', () => {
  test('is there for the operators of the program, masked, alike over both APIs', async () => {
    const of = await operator();
    const [one, two] = [newCustomer(), newCustomer()];
    const created = await of.rest.post('/customers', one);
    expect([created.status, created.headers.location]).toEqual([201, `/customers/${one.customerId}`]);
    expect(created.body).toEqual({ ...shownOf(one), metadata: {}, updatedAt: expect.any(String) });
    const read = await of.rest.get(created.headers.location as string);
    expect([read.status, read.text]).toEqual([200, created.text]);
    const { data } = await of.graphql(CREATE, { input: two });
    expect(data.createCustomer.customer).toEqual(shownOf(two));
    expect((await of.graphql(GET, { id: two.customerId })).data.customer).toEqual(shownOf(two));
    expect((await of.graphql(GET, { id: one.customerId })).data.customer).toEqual(shownOf(one));
  });

  test('has an id even if the bank gives none, and needs only a name', async () => {
    const of = await operator();
    const { body } = await of.rest.post('/customers', { name: { first: 'Ada', last: 'Least' } });
    expect(body).toEqual({
      customerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bankNumber: '',
      name: {
        first: 'Ada',
        middle: '',
        last: 'Least',
      },
      taxId: '',
      taxIdCountry: '',
      governmentId: '',
      dateOfBirth: '',
      addresses: [],
      contact: {
        email: [],
        telephones: [],
      },
      taxStatus: '',
      taxStatusOn: '',
      secondTinNoticeOn: '',
      electronicTaxFormsOn: '',
      metadata: {},
      updatedAt: expect.any(String),
    });
  });

  test('can own an account', async () => {
    const of = await operator();
    const customer = newCustomer();
    await of.rest.post('/customers', customer);
    const account = {
      accountId: unique('acc'),
      accountType: 'CHECKING',
      currency: 'USD',
      timeZone: 'UTC',
      interestBearing: false,
      owners: [customer.customerId],
    };
    expect((await of.rest.post('/accounts', account)).status).toBe(201);
    const { data } = await of.graphql(
      'query ($id: ID!) { account(accountId: $id) { owners { customerId taxId contact { email } } } }',
      { id: account.accountId },
    );
    const { customerId, contact } = customer;
    expect(data.account.owners).toEqual([
      { customerId, taxId: shownOf(customer).taxId, contact: { email: contact.email } },
    ]);
  });

  test('shows the government id whole with pii.read alone', async () => {
    const program = gateway.given.program();
    const [usual, trusted] = [await operator(program), await operator(program, [...USUAL_SCOPES, 'pii.read'])];
    const customer = newCustomer();
    const created = await trusted.rest.post('/customers', customer);
    expect(created.body).toMatchObject({ governmentId: customer.governmentId, taxId: shownOf(customer).taxId });
    expect((await usual.rest.get(`/customers/${customer.customerId}`)).body.governmentId).toBe(
      masked(customer.governmentId),
    );
    expect((await trusted.graphql(GET, { id: customer.customerId })).data.customer.governmentId).toBe(
      customer.governmentId,
    );
  });

  test('is the same as one that is imported', async () => {
    const of = await operator();
    const customer = newCustomer();
    await of.rest.post('/customers', customer);
    expect(await importing(gateway, 'customers', of.program, [customer])).toEqual(['unchanged']);
  });

  test('is created once under a key, whichever API asks again', async () => {
    const of = await operator();
    const customer = newCustomer();
    const key = keyed(unique('key'));
    const first = await of.rest.post('/customers', customer, key);
    const again = await of.rest.post('/customers', customer, key);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const other = await of.graphql(CREATE, { input: customer }, { headers: key });
    expect(other.data.createCustomer.customer).toEqual(shownOf(customer));
  });
});

describe('creating is refused', () => {
  test.each([
    ['no name', { name: undefined }, 400, ['/name required']],
    ['a tax id alone', { taxIdCountry: undefined }, 422, ['/taxId together']],
    ['a tax id that is none', { taxId: '12' }, 422, ['/taxId format']],
    ['a masked tax id', { taxId: '*****6789' }, 422, ['/taxId format']],
    ['a birth in the future', { dateOfBirth: '2999-01-01' }, 422, ['/dateOfBirth past_date']],
    ['an e-mail that is none', { contact: { email: ['nobody'] } }, 422, ['/contact/email/0 format']],
    ['too many addresses', { addresses: Array.from({ length: 11 }, () => ({})) }, 422, ['/addresses size']],
    ['a field that there is not', { shoe: 42 }, 400, ['/shoe unknown_field']],
  ])('for %s, as by the import', async (_, changes, status, problems) => {
    const of = await operator();
    const before = await gateway.rows();
    const record = newCustomer(changes);
    const answer = await of.rest.post('/customers', record, keyed(unique('key')));
    expect([answer.status, problemsOf(answer.body.errors)]).toEqual([status, problems]);
    expect(await gateway.rows()).toEqual(before);
    expect(await gateway.importLines('customers', of.program, [JSON.stringify(record)])).not.toEqual(['new']);
  });

  test('for an id that is taken; of one of another program it says no more than that it cannot be used, also at once', async () => {
    const [one, other] = [await operator(), await operator()];
    const customer = newCustomer();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? one : other).rest.post('/customers', customer)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const made = answers.findIndex(({ status }) => status === 201) % 2;
    for (const [index, { status, body }] of answers.entries()) {
      if (status === 201) continue;
      if (index % 2 === made) expect([status, body.code]).toEqual([409, 'customer_exists']);
      else expect([status, body.errors]).toMatchObject([422, [{ pointer: '/customerId', code: 'unusable_id' }]]);
    }
  });
});

describe('a change of a customer', () => {
  async function created() {
    const of = await operator();
    const customer = newCustomer();
    const { body } = await of.rest.post('/customers', customer);
    return { ...of, customer, record: body as Record<string, unknown>, path: `/customers/${customer.customerId}` };
  }

  test('is merged, alike over both APIs', async () => {
    const { rest, graphql, path, record, customer } = await created();
    const patched = await rest.patch(path, { name: { middle: '' }, contact: { email: ['new@customer.example'] } });
    const expected = {
      ...record,
      updatedAt: expect.any(String),
      name: { ...customer.name, middle: '' },
      contact: { ...customer.contact, email: ['new@customer.example'] },
    };
    expect(patched.body).toEqual(expected);
    const input = { name: { middle: null }, contact: { telephones: [] }, dateOfBirth: null };
    const { data } = await graphql(UPDATE, { id: customer.customerId, input });
    expect(data.updateCustomer.customer).toMatchObject({
      dateOfBirth: null,
      name: {
        ...customer.name,
        middle: null,
      },
      contact: {
        email: ['new@customer.example'],
        telephones: [],
      },
    });
    const cleared = await rest.patch(
      path,
      { bankNumber: null, taxId: null, taxIdCountry: null, contact: null, addresses: [] },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(cleared.body).toMatchObject({
      bankNumber: '',
      taxId: '',
      contact: { email: [], telephones: [] },
      addresses: [],
    });
  });

  test('to the record as it was shown changes nothing', async () => {
    const { rest, path, record } = await created();
    const { rows: before } = await sealed();
    expect((await rest.patch(path, record)).body).toEqual(record);
    const { rows: after } = await sealed();
    expect(after).toEqual(before);

    async function sealed() {
      const id = path.slice('/customers/'.length);
      const { rows } = await gateway.sql.query('SELECT sealed FROM customer WHERE customer_id = $1', [id]);
      return { rows: await gateway.opened(`customer/${id}`, rows[0].sealed) };
    }
  });

  test.each([
    ['another mask of the tax id', { taxId: '*****0000' }, ['/taxId masked']],
    ['another mask of the government id', { governmentId: '*******0000' }, ['/governmentId masked']],
    ['a tax id of no country', { taxIdCountry: null }, ['/taxId together']],
    ['no family name', { name: { last: null } }, ['/name alternatives']],
    ['a blank name', { name: { last: ' ' } }, ['/name alternatives']],
    ['a number of the bank that is too long', { bankNumber: 'K'.repeat(65) }, ['/bankNumber text']],
    ['the id of another', { customerId: randomUUID() }, ['/customerId other_customer']],
  ])('to %s is refused', async (_, patch, problems) => {
    const { rest, path, record } = await created();
    const answer = await rest.patch(path, patch);
    expect([answer.status, problemsOf(answer.body.errors)]).toEqual([422, problems]);
    expect((await rest.get(path)).body).toEqual(record);
  });

  test('of a customer of another program finds nobody', async () => {
    const { path, customer } = await created();
    const other = await operator();
    for (const answer of [await other.rest.get(path), await other.rest.patch(path, {})]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'customer_not_found']);
    }
    expect((await other.graphql(GET, { id: customer.customerId })).data).toEqual({ customer: null });
    const { errors } = await other.graphql(UPDATE, { id: customer.customerId, input: {} });
    expect(errors).toMatchObject([{ extensions: { code: 'CUSTOMER_NOT_FOUND' } }]);
    expect((await other.rest.get('/customers/nobody')).status).toBe(404);
  });

  test('and others at the same time lose nothing, and neither does an import', async () => {
    const { rest, path, customer, program } = await created();
    const written = { ...customer, governmentId: 'IMPORTED1' };
    await Promise.all([
      rest.patch(path, { dateOfBirth: '1971-01-01' }),
      rest.patch(path, { contact: { email: [] } }),
      rest.patch(path, { name: { first: 'Other' } }),
    ]);
    expect((await rest.get(path)).body).toMatchObject({
      dateOfBirth: '1971-01-01',
      contact: { email: [] },
      name: { first: 'Other' },
    });
    await Promise.all([
      importing(gateway, 'customers', program, [written]),
      rest.patch(path, { name: { middle: 'Z' } }),
    ]);
    const { body } = await rest.get(path);
    expect(body.governmentId).toBe(masked('IMPORTED1'));
  });
});

test('what operators do to customers is on record, with the names of fields and nothing personal', async () => {
  const of = await operator();
  const customer = newCustomer();
  await of.rest.post('/customers', customer);
  await of.graphql(UPDATE, { id: customer.customerId, input: { addresses: null, taxId: '123456789' } });
  await gateway.feedReady();
  const feed = await of.rest.get('/events');
  expect(feed.body.events).toMatchObject([
    { type: 'customer.created', data: { customerId: customer.customerId, sequence: 1 } },
    {
      type: 'customer.updated',
      data: { customerId: customer.customerId, sequence: 2, changed: ['taxId', 'addresses'] },
    },
  ]);
  const { rows } = await gateway.sql.query('SELECT data FROM event WHERE program = $1 ORDER BY id', [of.program]);
  expect(rows).toEqual([{ data: {} }, { data: { changed: ['taxId', 'addresses'] } }]);
});

describe('an organisation', () => {
  const NAMES = `name { first middle last organization }`;

  test('is a customer by its one name, and is shown by it wherever it owns an account', async () => {
    const of = await operator();
    const organization = `Ambergill Boats ${digits(6)}`;
    const created = await of.graphql(
      `mutation ($input: CustomerInput!) { createCustomer(input: { customer: $input }) { customer { customerId ${NAMES} } } }`,
      {
        input: { name: { organization } },
      },
    );
    const { customerId, name } = created.data.createCustomer.customer;
    expect(name).toEqual({ first: '', middle: null, last: organization, organization });
    const read = await of.rest.get(`/customers/${customerId}`);
    expect(read.body.name).toEqual({ first: '', middle: '', last: organization });
    const { account } = await gateway.given.account({ program: of.program, owners: [customerId] });
    const query = `query ($id: ID!) { account(accountId: $id) { owners { ${NAMES} customer { ${NAMES} } } } }`;
    expect((await of.graphql(query, { id: account })).data.account.owners).toEqual([{ name, customer: { name } }]);
    const other = await of.rest.post('/customers', { name: { organization } });
    expect([other.status, other.body.name.last]).toEqual([201, organization]);
  });

  test('becomes a person by a last name, and a person an organisation, and a name is one of both', async () => {
    const of = await operator();
    const { customerId } = (await of.rest.post('/customers', { name: { last: 'Quill', first: 'Ada' } })).body;
    const rename = async (name: object) => {
      const { data, errors } = await of.graphql(
        `mutation ($id: ID!, $name: NamePatch!) { updateCustomer(input: { customerId: $id, patch: { name: $name } }) { customer { ${NAMES} } } }`,
        { id: customerId, name },
      );
      return errors?.[0].extensions.errors ?? data.updateCustomer.customer.name;
    };
    const organization = 'Quill and Daughters';
    expect(await rename({ organization })).toMatchObject({ first: '', last: organization, organization });
    const atName = [{ pointer: '/input/patch/name', code: 'alternatives' }];
    for (const name of [{ middle: 'K' }, { organization: null }, { organization, last: 'Quill' }]) {
      expect(await rename(name)).toMatchObject(atName);
    }
    expect(await rename({ last: 'Quill' })).toEqual({ first: '', middle: null, last: 'Quill', organization: null });
    expect((await of.rest.post('/customers', { name: {} })).body.errors).toMatchObject([
      { pointer: '/name', code: 'alternatives' },
    ]);
  });
});

describe('the customers of a program', () => {
  interface List {
    readonly customers: {
      readonly nodes: readonly { readonly customerId: string; readonly contact: object }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
      readonly totalCount: number;
    };
  }

  test('are listed by their ids, page by page, alike over GraphQL and REST, and those of others are not', async () => {
    const of = await operator();
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await of.rest.post('/customers', newCustomer())).body.customerId as string),
    );
    await gateway.given.customer();
    const sorted = ids.toSorted();
    const query = `query ($after: String) { customers(first: 2, after: $after) { nodes { customerId contact { email } } pageInfo { hasNextPage endCursor } totalCount } }`;
    const first = (await of.graphql<List>(query)).data.customers;
    const next = (await of.graphql<List>(query, { after: first.pageInfo.endCursor })).data.customers;
    expect([...first.nodes, ...next.nodes].map(({ customerId }) => customerId)).toEqual(sorted);
    expect([first.totalCount, first.pageInfo.hasNextPage, next.pageInfo.hasNextPage]).toEqual([3, true, false]);
    const page = await of.rest.get('/customers?limit=2');
    const rest = await of.rest.get(page.body.links.next.href);
    expect(
      [...page.body.customers, ...rest.body.customers].map((one: { customerId: string }) => one.customerId),
    ).toEqual(sorted);
    expect(rest.body.links).toEqual({});
    expect(page.body.customers[0].contact).toMatchObject(first.nodes[0]?.contact ?? {});
    expect(first.nodes[0]?.contact).toEqual({ email: [expect.stringContaining('@')] });
    expect(page.body.customers[0]).toEqual((await of.rest.get(`/customers/${sorted[0]}`)).body);
  });

  test('are found by their ids and by the numbers of the bank, however these are written', async () => {
    const of = await operator();
    const [one, two, three] = [newCustomer(), newCustomer(), newCustomer()];
    for (const customer of [one, two, three]) await of.rest.post('/customers', customer);
    const foreign = await gateway.given.customer();
    const query = `query ($filter: CustomerFilter) { customers(filter: $filter) { nodes { customerId } totalCount } }`;
    const listed = async (filter: object, parameters: string) => {
      const { data } = await of.graphql<List>(query, { filter });
      const ids = data.customers.nodes.map(({ customerId }) => customerId);
      expect(data.customers.totalCount).toBe(ids.length);
      const { body } = await of.rest.get(`/customers?${parameters}`);
      expect(body.customers.map((found: { customerId: string }) => found.customerId)).toEqual(ids);
      return ids;
    };
    const customerIds = [two.customerId, one.customerId, foreign.customer];
    expect(await listed({ customerIds }, `customerIds=${customerIds.join()}`)).toEqual(
      [one.customerId, two.customerId].toSorted(),
    );
    const spelled = three.bankNumber.toLowerCase().replace('-', ' ');
    const numbers = { bankNumbers: [spelled, 'KD-0'] };
    expect(await listed(numbers, `bankNumbers=${encodeURIComponent(spelled)}&bankNumbers=KD-0`)).toEqual([
      three.customerId,
    ]);
    expect(
      await listed(
        { ...numbers, customerIds },
        `bankNumbers=${encodeURIComponent(spelled)}&customerIds=${customerIds.join()}`,
      ),
    ).toEqual([]);
  });

  test('have their own changes, apart from those of others and of accounts', async () => {
    const of = await operator();
    const { customerId } = (await of.rest.post('/customers', newCustomer())).body;
    await of.rest.post('/customers', newCustomer());
    await of.rest.patch(`/customers/${customerId}`, { addresses: [] });
    const { data } = await of.graphql<{ events: { nodes: readonly { type: string }[]; totalCount: number } }>(
      'query ($id: ID!) { events(filter: { customerId: $id }) { nodes { type } totalCount } }',
      { id: customerId },
    );
    expect(data.events).toEqual({
      nodes: [{ type: 'customer.updated' }, { type: 'customer.created' }],
      totalCount: 2,
    });
  });
});
