import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyed, startTestGateway, unique, type Answer, type TestGateway } from '../../support/gateway.js';
import { newBeneficiary } from '../../support/given.js';
import { rounds } from '../../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary {
  beneficiaryId addresses { line2 } name { middle } } } }`;
const NONE = { taxId: undefined, taxIdType: undefined };
const ADDRESS = { line1: '1 Quay Street', city: 'Port Ambergill', country: 'US', type: 'HOME' };

test('absent, empty and null mean the same under a key, over REST and GraphQL alike', async () => {
  const { caller, account } = await gateway.given.account();
  const me = gateway.as(caller);
  const text = fc.constantFrom<undefined | null | ''>(undefined, null, '');
  const list = fc.constantFrom<undefined | null | []>(undefined, null, []);
  const inputs = fc.record({ line2: text, state: text, middle: text, emails: list, phones: list });
  await fc.assert(
    fc.asyncProperty(inputs, inputs, fc.boolean(), async (one, other, restFirst) => {
      const [first, second] = [one, other].map(({ middle, emails, phones, ...address }) =>
        newBeneficiary({
          ...NONE,
          emails,
          phones,
          addresses: [
            {
              ...ADDRESS,
              ...address,
            },
          ],
          name: {
            first: 'Ada',
            middle,
            last: 'Same',
          },
        }),
      ) as [object, object];
      const key = unique('same');
      const rest = async (body: object) => {
        const { status, body: sent } = await me.rest.post(`/accounts/${account}/beneficiaries`, body, keyed(key));
        expect(status).toBe(201);
        return sent.beneficiaryId as string;
      };
      const graphql = async (input: object) => {
        const { data, errors } = await me.graphql(ADD, { account, input }, { headers: keyed(key) });
        expect(errors).toBeUndefined();
        expect(data.addBeneficiary.beneficiary).toMatchObject({ addresses: [{ line2: null }], name: { middle: null } });
        return data.addBeneficiary.beneficiary.beneficiaryId as string;
      };
      const ids = restFirst ? [await rest(first), await graphql(second)] : [await graphql(first), await rest(second)];
      expect(ids[0]).toBe(ids[1]);
      expect((await me.rest.delete(`/accounts/${account}/beneficiaries/${ids[0]}`)).status).toBe(200);
    }),
    { numRuns: rounds(12) },
  );
});

test('a tax id means the same with and without hyphens, in a new record and in a patch', async () => {
  const { caller, account, program, beneficiary } = await gateway.given.beneficiary();
  const operator = gateway.as(await gateway.caller({ program, scopes: 'operations' }));
  const customer = (await operator.rest.post('/customers', { name: { last: 'Sukarno' } })).body.customerId;
  const beneficiaries = `/accounts/${account}/beneficiaries`;
  const named = { name: { last: 'Numbered' } };
  const me = gateway.as(caller);
  const country = { taxIdCountry: 'US' };
  const writes: [string, (taxId: string, key: Record<string, string>) => Promise<Answer>][] = [
    ['new beneficiary', (taxId, key) => me.rest.post(beneficiaries, newBeneficiary({ taxId, taxIdType: 'SSN' }), key)],
    ['beneficiary', (taxId, key) => me.rest.patch(`${beneficiaries}/${beneficiary}`, { taxId, taxIdType: 'SSN' }, key)],
    ['new customer', (taxId, key) => operator.rest.post('/customers', { ...named, taxId, ...country }, key)],
    ['customer', (taxId, key) => operator.rest.patch(`/customers/${customer}`, { taxId, ...country }, key)],
  ];
  for (const [name, write] of writes) {
    const key = keyed(unique('same'));
    const first = await write('900-70-1234', key);
    const again = await write('900701234', key);
    const other = await write('900-70-1235', key);
    expect([name, first.status, again.text, again.headers['idempotent-replayed'], other.status]).toEqual([
      name,
      name.startsWith('new') ? 201 : 200,
      first.text,
      'true',
      422,
    ]);
  }
});

test('a patch that changes nothing makes no version and no event', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const me = gateway.as(caller);
  const operator = gateway.as(
    await gateway.caller({ program: (await gateway.given.account()).program, scopes: 'operations' }),
  );
  const customer = (await operator.rest.post('/customers', { name: { last: 'Sukarno' } })).body;
  expect(customer.name).toEqual({ first: '', middle: '', last: 'Sukarno' });
  const endpoint = (await operator.rest.post('/webhook-endpoints', { url: 'https://bank.example/' })).body;
  const paths = [
    [me, `/accounts/${account}/beneficiaries/${beneficiary}`],
    [operator, `/customers/${customer.customerId}`],
    [operator, `/webhook-endpoints/${endpoint.endpointId}`],
  ] as const;
  const events = async () =>
    (await gateway.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM event WHERE action LIKE '%.update'`))
      .rows[0]?.n;
  const before = await events();
  for (const [by, path] of paths) {
    const whole = await by.rest.get(path);
    expect((await by.rest.patch(path, {})).status).toBe(200);
    const { endpointId: _, ...record } = whole.body;
    if (!path.startsWith('/webhook')) expect((await by.rest.patch(path, record)).status).toBe(200);
    const after = await by.rest.get(path);
    expect([after.body, after.headers['etag']]).toEqual([whole.body, whole.headers['etag']]);
  }
  expect(await events()).toBe(before);
});

test('all bad fields of an endpoint are named at once', async () => {
  const { rest } = gateway.as(await gateway.caller({ scopes: 'operations' }));
  const { status, body } = await rest.post('/webhook-endpoints', {
    url: 'http://bank.example/',
    types: ['boat.sunk', 'transaction.posted', 'boat.raised'],
  });
  expect(status).toBe(422);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/url', '/types/0', '/types/2']);
});
