import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountRecord, importing, type RecordOutcome } from '../cli/importing.js';
import { ADDRESSES, CURRENCIES, DAYS, ZONES } from '../support/awkward-people.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const OPEN = `mutation ($input: AccountInput!) { openAccount(input: { account: $input }) { account { accountId } } }`;
const CREATE = `mutation ($input: CustomerInput!) { createCustomer(input: { customer: $input }) { customer { customerId } } }`;

/** How each of the three ways answers: `ok`, or where the input is wrong. */
interface Answers {
  readonly graphql: string;
  readonly rest: string;
  readonly imported: string;
}
const alike = (answer: string): Answers => ({ graphql: answer, rest: answer, imported: answer });

async function operator() {
  const program = gateway.given.program();
  const { customer } = await gateway.given.customer({ program });
  return { program, customer, me: gateway.as(await gateway.caller({ program })) };
}

/** What the ways answer to a new account with these changes. */
async function opened(changes: object): Promise<Answers> {
  const { program, customer, me } = await operator();
  const input = () => ({ ...accountRecord([customer], changes), accountId: unique('acc') });
  const { errors } = await me.graphql(OPEN, { input: input() });
  const { body } = await me.rest.post('/accounts', input());
  const [became] = await importing(gateway, 'accounts', program, [input()]);
  return {
    graphql: pointerOf(errors?.[0]?.extensions, '/input/account'),
    rest: pointerOf(body),
    imported: pointerOfLine(became),
  };
}

/** What the two APIs answer to a new customer with these changes, and an import of one. */
async function created(changes: object): Promise<Answers> {
  const { program, me } = await operator();
  const input = { name: { last: 'Voss' }, ...changes };
  const { errors } = await me.graphql(CREATE, { input });
  const { body } = await me.rest.post('/customers', input);
  const record = { customerId: crypto.randomUUID(), ...input };
  const [became] = await importing(gateway, 'customers', program, [record]);
  return {
    graphql: pointerOf(errors?.[0]?.extensions, '/input/customer'),
    rest: pointerOf(body),
    imported: pointerOfLine(became),
  };
}

function pointerOf(problem: { errors?: readonly { pointer: string }[] } | undefined, root = ''): string {
  return problem?.errors?.[0]?.pointer.slice(root.length) ?? 'ok';
}

function pointerOfLine(became: RecordOutcome | undefined): string {
  return typeof became === 'string' ? 'ok' : (became?.[0]?.split(' ')[0] ?? 'nothing');
}

test.each([...CURRENCIES.today, ...CURRENCIES.noDigits, ...CURRENCIES.threeDigits, ...CURRENCIES.fourDigits])(
  'an account in %s is opened over GraphQL, REST and by import',
  async currency => {
    expect(await opened({ currency })).toEqual(alike('ok'));
  },
);

test.each([...CURRENCIES.gone, ...CURRENCIES.none])(
  'an account in %p is refused over GraphQL, REST and by import',
  async currency => {
    expect(await opened({ currency })).toEqual(alike('/currency'));
  },
);

const { unknownToDatabase, ...known } = ZONES;
test.each(Object.entries(known))('an account is opened in a zone that is odd: %s', async (_what, timeZone) => {
  expect(await opened({ timeZone })).toEqual(alike('ok'));
});

test.each([unknownToDatabase, '', 'Mars/Olympus', 'america/new_york\u0000', 'GMT+25'])(
  'an account in the zone %p is refused over GraphQL, REST and by import',
  async timeZone => {
    expect(await opened({ timeZone })).toEqual(alike('/timeZone'));
  },
);

test('days that are in no calendar are refused over GraphQL, REST and by import, and leap days are not', async () => {
  for (const openedOn of DAYS.notLeap) {
    expect([openedOn, await opened({ openedOn })]).toEqual([openedOn, alike('/openedOn')]);
  }
  for (const openedOn of [DAYS.leap, DAYS.firstOfYear, DAYS.lastOfYear]) {
    expect([openedOn, await opened({ openedOn })]).toEqual([openedOn, alike('ok')]);
  }
  expect(await created({ dateOfBirth: DAYS.notLeap[0] })).toEqual(alike('/dateOfBirth'));
  expect(await created({ dateOfBirth: DAYS.leap })).toEqual(alike('ok'));
});

test('addresses of other countries come out as they came in, over GraphQL and REST', async () => {
  const addresses = ADDRESSES.map(address => ({ ...address, type: 'HOME' }));
  expect(await created({ addresses })).toEqual(alike('ok'));
  const { me } = await operator();
  const { body } = await me.rest.post('/customers', { name: { last: 'Voss' }, addresses });
  const inRest = addresses.map(address => ({ line2: '', line3: '', state: '', postalCode: '', ...address }));
  expect(body.addresses).toEqual(inRest);
  const { data, errors } = await me.graphql(
    `query ($id: ID!) { customer(customerId: $id) { addresses { line1 line2 line3 city state postalCode country type } } }`,
    { id: body.customerId },
  );
  const inGraphql = addresses.map(address => ({
    line2: null,
    line3: null,
    state: null,
    postalCode: null,
    ...address,
  }));
  expect(errors).toBeUndefined();
  expect(data.customer.addresses).toEqual(inGraphql);
});
