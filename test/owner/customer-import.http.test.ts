import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountRecord, customerRecord, importing } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const OWNERS = `query ($accountId: ID!) { account(accountId: $accountId) { owners {
  customerId name { first middle last } taxId taxIdCountry governmentId contact { email telephones { type country number } } isPrimary } } }`;

interface Owner {
  readonly name: { readonly first: string; readonly last: string };
  readonly contact: object;
}

/** The owner of a new account of these customers, as GraphQL shows it. */
async function shownOwner(program: string, customerId: string): Promise<Owner | undefined> {
  const account = accountRecord([customerId]);
  await importing(gateway, 'accounts', program, [account]);
  const { data } = await gateway
    .as(await gateway.caller({ program }))
    .graphql<{ account: { owners: Owner[] } }>(OWNERS, { accountId: account.accountId });
  return data.account.owners[0];
}

test('a new customer is there at once, masked', async () => {
  const program = gateway.given.program();
  const customer = customerRecord();
  expect(await importing(gateway, 'customers', program, [customer])).toEqual(['new']);
  expect(await shownOwner(program, customer.customerId)).toEqual({
    customerId: customer.customerId,
    name: {
      first: 'Ada',
      middle: 'K',
      last: 'Nonesuch',
    },
    taxId: '*****4321',
    taxIdCountry: 'US',
    governmentId: '****4567',
    contact: {
      email: ['ada@example.test'],
      telephones: [
        {
          type: 'CELL',
          country: 'US',
          number: '212 555 0123',
        },
      ],
    },
    isPrimary: true,
  });
});

test('only an id and a name are required', async () => {
  const program = gateway.given.program();
  const { customerId } = customerRecord();
  const least = { customerId, name: { first: 'Ada', last: 'Nonesuch' } };
  expect(await importing(gateway, 'customers', program, [least])).toEqual(['new']);
  expect(await shownOwner(program, customerId)).toMatchObject({
    taxId: null,
    governmentId: null,
    contact: { email: [], telephones: [] },
  });
  expect(await importing(gateway, 'customers', program, [{ ...least, contact: null, addresses: [] }])).toEqual([
    'unchanged',
  ]);
});

test('a tax id of another country keeps its hyphens, which may be a part of it', async () => {
  const program = gateway.given.program();
  const customer = customerRecord({ taxId: '131052-308T', taxIdCountry: 'FI' });
  await importing(gateway, 'customers', program, [customer]);
  expect(await shownOwner(program, customer.customerId)).toMatchObject({ taxId: '*******308T', taxIdCountry: 'FI' });
});

test.each([
  ['US', '900-12-4321', '900 12 4321', '*****4321'],
  ['DE', '12345678901', '12 345 678 901', '*******8901'],
])('a tax id of %s is the same with spaces', async (taxIdCountry, taxId, spaced, shown) => {
  const program = gateway.given.program();
  const customer = customerRecord({ taxId, taxIdCountry });
  const records = [customer, { ...customer, taxId: spaced }];
  expect(await importing(gateway, 'customers', program, records)).toEqual(['new', 'unchanged']);
  expect(await shownOwner(program, customer.customerId)).toMatchObject({ taxId: shown });
});

test('the file is the master: what has changed is updated, what is equal is not even written', async () => {
  const program = gateway.given.program();
  const [moved, stayed] = [customerRecord(), customerRecord()];
  await importing(gateway, 'customers', program, [moved, stayed]);
  const version = async () =>
    (await gateway.sql.query('SELECT xmin::text, sealed FROM customer WHERE customer_id = $1', [stayed.customerId]))
      .rows[0];
  const before = await version();

  const changed = { ...moved, contact: { email: ['moved@example.test'], telephones: [] } };
  expect(await importing(gateway, 'customers', program, [changed, stayed])).toEqual(['updated', 'unchanged']);
  expect((await shownOwner(program, moved.customerId))?.contact).toEqual({
    email: ['moved@example.test'],
    telephones: [],
  });
  expect(await version()).toEqual({ ...before, xmin: expect.any(String) });
});

test('of two records of one customer in a batch the later one counts', async () => {
  const program = gateway.given.program();
  const first = customerRecord();
  const second = { ...first, name: { first: 'Ada', last: 'Otherwise' } };
  expect(await importing(gateway, 'customers', program, [first, second, second])).toEqual([
    'new',
    'updated',
    'unchanged',
  ]);
  expect((await shownOwner(program, first.customerId))?.name.last).toBe('Otherwise');
});

test('a customer of another program is refused and stays as it is', async () => {
  const [mine, theirs] = [gateway.given.program(), gateway.given.program()];
  const customer = customerRecord();
  await importing(gateway, 'customers', theirs, [customer]);
  const taken = { ...customer, name: { first: 'Mallory', last: 'Nonesuch' } };
  expect(await importing(gateway, 'customers', mine, [taken])).toEqual([['/customerId unusable_id']]);
  expect((await shownOwner(theirs, customer.customerId))?.name.first).toBe('Ada');
});

test.each([
  ['no id', { customerId: undefined }, ['/customerId required']],
  ['an id that is no UUID', { customerId: '17' }, ['/customerId wrong_type']],
  ['a tax id without its country', { taxIdCountry: undefined }, ['/taxId together']],
  ['a tax id of three characters', { taxId: '123' }, ['/taxId format']],
  ['a tax id of hyphens', { taxId: '1-------2' }, ['/taxId format']],
  ['a government id of three characters', { governmentId: '123' }, ['/governmentId text']],
  ['a day of birth to come', { dateOfBirth: '2999-01-01' }, ['/dateOfBirth past_date']],
  [
    'an address that is no e-mail address',
    { contact: { email: ['a@example.test', 'nobody'], telephones: [] } },
    ['/contact/email/1 format'],
  ],
  ['a number among the e-mails', { contact: { email: [5] } }, ['/contact/email/0 wrong_type']],
  ['a field that nobody knows', { nickname: 'A' }, ['/nickname unknown_field']],
  ['a line break in a name', { name: { first: 'A\nB', last: 'C' } }, ['/name/first text']],
  [
    'several mistakes',
    { governmentId: '1', name: { first: 'A' }, taxId: 5 },
    ['/name alternatives', '/taxId wrong_type', '/governmentId text', '/taxIdCountry together'],
  ],
])('a record with %s is refused with every reason', async (_what, changes, reasons) => {
  const [became] = await importing(gateway, 'customers', gateway.given.program(), [customerRecord(changes)]);
  expect([...(became as string[])].sort()).toEqual([...reasons].sort());
});

test('what is not sealed holds no personal data', async () => {
  const program = gateway.given.program();
  await importing(gateway, 'customers', program, [customerRecord()]);
  const { rows } = await gateway.sql.query(
    "SELECT (to_jsonb(c) - 'sealed')::text AS text, sealed FROM customer c WHERE program = $1",
    [program],
  );
  // Long enough not to turn up in random bytes by chance.
  for (const secret of ['900004321', 'X1234567', '1970-02-03', 'ada@example.test', '555 0123', 'Quill']) {
    expect(rows[0].text).not.toContain(secret);
    expect(rows[0].sealed.includes(secret)).toBe(false);
  }
});
