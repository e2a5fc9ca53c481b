import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mask } from '../../src/shared/mask.js';
import { SCOPES } from '../../src/shared/caller.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const holders = (...ids: string[]) => ({ holders: ids.map(customerId => ({ customerId })) });

interface Owners {
  readonly holders: readonly { readonly customerId: string; readonly ownerStatus: string }[];
}

const OWNERS = `query ($account: ID!) { account(accountId: $account) { owners { customerId isPrimary } } }`;

async function ownersOf(caller: string, account: string): Promise<unknown> {
  return (await gateway.as(caller).graphql(OWNERS, { account })).data.account.owners;
}

test('an added owner is answered with every field of the contract, the numbers masked', async () => {
  const { caller, program, account } = await gateway.given.account();
  const { customer, taxId, governmentId, email } = await gateway.given.customer({ program });
  const { status, body } = await gateway.as(caller).rest.post(`/accounts/${account}/owners/add`, holders(customer));
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['holders']);
  expect(Object.keys(body.holders[0])).toEqual([
    'customerId',
    'name',
    'taxId',
    'taxIdCountry',
    'governmentId',
    'contact',
    'ownerStatus',
  ]);
  expect(body.holders).toEqual([
    {
      customerId: customer,
      name: {
        first: 'Ada',
        middle: '',
        last: expect.stringMatching(/^Owner\d{4}$/),
      },
      taxId: mask(taxId),
      taxIdCountry: 'US',
      governmentId: mask(governmentId),
      ownerStatus: 'Added',
      contact: {
        email: [email],
        telephones: [
          {
            type: 'CELL',
            country: 'US',
            number: expect.stringMatching(/^\+1 555 \d{7}$/),
          },
        ],
      },
    },
  ]);
});

test('a government id is whole for a caller with pii.read, and for no other', async () => {
  const { program, account } = await gateway.given.account();
  const { customer, governmentId } = await gateway.given.customer({ program });
  const reader = await gateway.caller({ program, scopes: SCOPES });
  const { body } = await gateway.as(reader).rest.post(`/accounts/${account}/owners/add`, holders(customer));
  expect(body.holders[0].governmentId).toBe(governmentId);
});

test('each customer has one result, in the order asked, whatever becomes of the others', async () => {
  const { caller, program, account, owners } = await gateway.given.account();
  const [one, two] = await gateway.given.customers(program, 2);
  const { customer: foreign } = await gateway.given.customer();
  const unknown = randomUUID();
  const { status, body } = await gateway
    .as(caller)
    .rest.post<Owners>(
      `/accounts/${account}/owners/add`,
      holders(two as string, unknown, owners[0] as string, foreign, (two as string).toUpperCase(), one as string),
    );
  expect(status).toBe(200);
  expect(body.holders.map(({ customerId, ownerStatus }) => [customerId, ownerStatus])).toEqual([
    [two, 'Added'],
    [unknown, 'Failed to Add'],
    [owners[0], 'Failed to Add'],
    [foreign, 'Failed to Add'],
    [one, 'Added'],
  ]);
  for (const holder of body.holders.filter(({ ownerStatus }) => ownerStatus === 'Failed to Add')) {
    expect(Object.keys(holder)).toEqual(['customerId', 'ownerStatus']);
  }
  expect(await ownersOf(caller, account)).toEqual([
    { customerId: owners[0], isPrimary: true },
    { customerId: two, isPrimary: false },
    { customerId: one, isPrimary: false },
  ]);
});

test('removing tells Removed from Not found, with no other fields', async () => {
  const { caller, program, account, owners } = await gateway.given.account({ owners: 2 });
  const { customer: stranger } = await gateway.given.customer({ program });
  const { status, body } = await gateway
    .as(caller)
    .rest.post(`/accounts/${account}/owners/remove`, holders(stranger, owners[0] as string, stranger));
  expect(status).toBe(200);
  expect(body).toEqual({
    holders: [
      { customerId: stranger, ownerStatus: 'Not found' },
      { customerId: owners[0], ownerStatus: 'Removed' },
    ],
  });
  expect(await ownersOf(caller, account)).toEqual([{ customerId: owners[1], isPrimary: true }]);
});

test('the last owner can be removed, and the next one added is the primary owner', async () => {
  const { caller, account, owners } = await gateway.given.account();
  await gateway.as(caller).rest.post(`/accounts/${account}/owners/remove`, holders(...owners));
  expect(await ownersOf(caller, account)).toEqual([]);
  await gateway.as(caller).rest.post(`/accounts/${account}/owners/add`, holders(...owners));
  expect(await ownersOf(caller, account)).toEqual([{ customerId: owners[0], isPrimary: true }]);
});

test('a customer added twenty times at once is an owner once', async () => {
  const { caller, program, account } = await gateway.given.account();
  const { customer } = await gateway.given.customer({ program });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      gateway.as(caller).rest.post(`/accounts/${account}/owners/add`, holders(customer)),
    ),
  );
  const statuses = answers.map(({ body }) => String(body.holders[0].ownerStatus)).sort();
  expect(statuses).toEqual(['Added', ...Array.from({ length: 19 }, () => 'Failed to Add')]);
});

test('fifty customers are taken in one call', async () => {
  const { caller, program, account } = await gateway.given.account({ owners: 0 });
  const ids = await gateway.given.customers(program, 50);
  const { body } = await gateway.as(caller).rest.post<Owners>(`/accounts/${account}/owners/add`, holders(...ids));
  expect(body.holders.map(({ customerId, ownerStatus }) => [customerId, ownerStatus])).toEqual(
    ids.map(id => [id, 'Added']),
  );
});

test('an account has at most a hundred owners', async () => {
  const { caller, program, account } = await gateway.given.account({ owners: 99 });
  const ids = await gateway.given.customers(program, 2);
  const { body } = await gateway.as(caller).rest.post<Owners>(`/accounts/${account}/owners/add`, holders(...ids));
  expect(body.holders.map(({ ownerStatus }) => ownerStatus)).toEqual(['Added', 'Failed to Add']);
});
