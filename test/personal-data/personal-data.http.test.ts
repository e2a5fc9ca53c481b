import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../src/shared/caller.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { digits, type GivenBeneficiary } from '../support/given.js';
import { restCode } from '../support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const REVEAL = `mutation ($input: RevealPersonalDataInput!) { revealPersonalData(input: $input) { personalData { name { first middle last } dateOfBirth taxId governmentId
  addresses { line1 city } emails phones { type number } } } }`;
const EVENTS = `query ($id: ID!) { events(filter: { accountId: $id, actions: "personal_data.reveal" }) { nodes { audit { outcome subject data } type object } } }`;
const READ = ['operations.read', 'pii.read'] as const;
const reason = 'Caller asked for a callback';

interface PersonCase extends GivenBeneficiary {
  readonly customerId: string;
  readonly secrets: { readonly taxId: string; readonly governmentId: string; readonly email: string };
}

async function given(): Promise<PersonCase> {
  const { program, customer, ...secrets } = await gateway.given.customer({ dateOfBirth: '1981-07-09' });
  const of = await gateway.given.account({ program, owners: [customer] });
  return { ...(await gateway.given.beneficiary({ of, taxId: '917263544' })), customerId: customer, secrets };
}

/** REST and GraphQL for somebody who may see what is unmasked. */
async function operator({ program }: { program: string }, subject = unique('u')) {
  const me = gateway.as(await gateway.caller({ program, scopes: READ, subject }));
  return { subject, rest: me.rest, graphql: me.graphql.bind(me) };
}

async function eventsOf({ account, caller }: GivenBeneficiary) {
  await gateway.recorded();
  const { data } = await gateway.as(caller).graphql(EVENTS, { id: account });
  const nodes = data.events.nodes as { type: string; object: string; audit: { outcome: string } }[];
  return nodes.map(({ audit, ...event }) => ({ ...event, ...audit }));
}

describe('with operations.read and pii.read', () => {
  test('the data of an owner is shown whole, alike over both APIs, and each time is an event with its reason', async () => {
    const of = await given();
    const { account, customerId, secrets } = of;
    const me = await operator(of);
    const { data, errors } = await me.graphql(REVEAL, { input: { accountId: account, customerId, reason } });
    expect(errors).toBeUndefined();
    const shown = data.revealPersonalData.personalData;
    expect(shown).toMatchObject({
      name: {
        first: 'Ada',
        middle: null,
      },
      dateOfBirth: '1981-07-09',
      taxId: secrets.taxId,
      governmentId: secrets.governmentId,
      addresses: [{ line1: '12 Elm Street' }],
      emails: [secrets.email],
      phones: [{ type: 'CELL' }],
    });
    const { status, body } = await me.rest.post(`/accounts/${account}/reveal`, { customerId, reason });
    expect([status, body]).toMatchObject([200, { ...shown, name: { ...shown.name, middle: '' } }]);

    const event = { outcome: 'DONE', type: 'personal_data.revealed', subject: me.subject };
    const facts = { ...event, object: `customer/${customerId}`, data: { customerId, reason } };
    expect(await eventsOf(of)).toEqual([facts, facts]);
  });

  test('the data of a beneficiary is shown whole, who has no government id', async () => {
    const of = await given();
    const { account, beneficiary: beneficiaryId } = of;
    const me = await operator(of);
    const { data } = await me.graphql(REVEAL, { input: { accountId: account, beneficiaryId, reason } });
    expect(data.revealPersonalData.personalData).toMatchObject({
      name: { first: 'Ben' },
      dateOfBirth: '1990-05-06',
      taxId: '917263544',
      governmentId: null,
      emails: ['ben@example.test'],
      phones: [{ type: 'HOME' }],
    });
    const { body } = await me.rest.post(`/accounts/${account}/reveal`, { beneficiaryId, reason });
    expect(body).toMatchObject({ taxId: '917263544', governmentId: '' });
    const [event] = await eventsOf(of);
    expect(event).toMatchObject({ object: `beneficiary/${beneficiaryId}`, data: { beneficiaryId, reason } });
  });

  test('readers of the feed learn whose data it was, and not why', async () => {
    const of = await given();
    const { customerId, account } = of;
    await (await operator(of)).rest.post(`/accounts/${account}/reveal`, { customerId, reason });
    await gateway.feedReady();
    const { body, text } = await gateway.as(of.caller).rest.get(`/events?types=personal_data.revealed`);
    expect(body.events[0].data).toMatchObject({ accountId: account, customerId });
    expect(text).not.toContain(reason);
  });
});

describe('a retry with the same key', () => {
  test('is an event of its own and no replay, since it reads the data anew, alike over both APIs', async () => {
    const of = await given();
    const { customerId, account } = of;
    const me = await operator(of);
    const key = keyed(unique('key'));
    const byRest = () => me.rest.post(`/accounts/${account}/reveal`, { customerId, reason }, key);
    const byGraphql = () => me.graphql(REVEAL, { input: { accountId: account, customerId, reason } }, { headers: key });
    const first = await byRest();
    await gateway.as(of.caller).rest.patch(`/customers/${customerId}`, { dateOfBirth: '1982-08-10' });
    const again = await byRest();
    expect([first.body.dateOfBirth, again.body.dateOfBirth]).toEqual(['1981-07-09', '1982-08-10']);
    const third = await byGraphql();
    expect(third.data.revealPersonalData.personalData.dateOfBirth).toBe('1982-08-10');
    for (const { headers } of [first, again, third]) expect(headers['idempotent-replayed']).toBeUndefined();
    expect(await eventsOf(of)).toHaveLength(3);
  });

  test('shows nothing without an event when many come at the same moment', async () => {
    const of = await given();
    const { customerId, account } = of;
    const me = await operator(of);
    const key = keyed(unique('key'));
    const ask = () => me.rest.post(`/accounts/${account}/reveal`, { customerId, reason }, key);
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    const shown = answers.filter(({ status }) => status === 200).length;
    expect(await eventsOf(of)).toHaveLength(shown);
  });

  test('that asks for somebody else is refused, and shows nobody', async () => {
    const of = await given();
    const { customerId, account, beneficiary: beneficiaryId } = of;
    const me = await operator(of);
    const key = keyed(unique('key'));
    await me.rest.post(`/accounts/${account}/reveal`, { customerId, reason }, key);
    const { status, body } = await me.rest.post(`/accounts/${account}/reveal`, { beneficiaryId, reason }, key);
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await eventsOf(of)).toHaveLength(1);
  });

  test('is refused once the person is no longer an owner or a beneficiary', async () => {
    const of = await given();
    const { customerId, account, beneficiary: beneficiaryId } = of;
    const me = await operator(of);
    const keys = [keyed(unique('key')), keyed(unique('key'))] as const;
    const ask = async () => [
      await me.rest.post(`/accounts/${account}/reveal`, { customerId, reason }, keys[0]),
      await me.rest.post(`/accounts/${account}/reveal`, { beneficiaryId, reason }, keys[1]),
    ];
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
    const admin = gateway.as(of.caller).rest;
    await admin.post(`/accounts/${account}/owners/remove`, { holders: [{ customerId }] });
    await admin.delete(`/accounts/${account}/beneficiaries/${beneficiaryId}`);
    expect((await ask()).map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'owner_not_found'],
      [404, 'beneficiary_not_found'],
    ]);
  });

  test('needs the scopes again', async () => {
    const of = await given();
    const { customerId, account } = of;
    const { subject, rest } = await operator(of);
    const key = keyed(unique('key'));
    const wish = { customerId, reason };
    expect((await rest.post(`/accounts/${account}/reveal`, wish, key)).status).toBe(200);
    const without = await gateway.caller({ program: of.program, subject, scopes: 'operations' });
    const { status, body } = await gateway.as(without).rest.post(`/accounts/${account}/reveal`, wish, key);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  });
});

test.each([
  [
    'a customer who does not own the account',
    async ({ program }: PersonCase) => ({ customerId: (await gateway.given.customer({ program })).customer }),
    'owner_not_found',
  ],
  ['a customer who is not there', async () => ({ customerId: randomUUID() }), 'owner_not_found'],
  [
    'the beneficiary of another account',
    async () => ({ beneficiaryId: (await gateway.given.beneficiary()).beneficiary }),
    'beneficiary_not_found',
  ],
] as const)('%s is not found, and nothing is recorded', async (_who, make, code) => {
  const of = await given();
  const me = await operator(of);
  const wish = await make(of);
  const { errors } = await me.graphql(REVEAL, { input: { accountId: of.account, ...wish, reason } });
  const { status, body } = await me.rest.post(`/accounts/${of.account}/reveal`, { ...wish, reason });
  expect([restCode(errors?.[0].extensions.code), status, body.code]).toEqual([code, 404, code]);
  expect(await eventsOf(of)).toEqual([]);
});

test.each([
  ['no person', {}, '/customerId', 'alternatives'],
  ['two persons', { customerId: randomUUID(), beneficiaryId: randomUUID() }, '/customerId', 'alternatives'],
  ['a reason of two characters', { customerId: randomUUID(), reason: 'no' }, '/reason', 'text'],
  ['a reason of 201 characters', { customerId: randomUUID(), reason: 'x'.repeat(201) }, '/reason', 'text'],
  ['a blank reason', { customerId: randomUUID(), reason: '     ' }, '/reason', 'text'],
])('%s is refused', async (_what, changes, pointer, code) => {
  const of = await given();
  const me = await operator(of);
  const { errors } = await me.graphql(REVEAL, { input: { accountId: of.account, reason, ...changes } });
  expect(errors?.[0].extensions.errors).toMatchObject([{ pointer: `/input${pointer}`, code }]);
  const { status, body } = await me.rest.post(`/accounts/${of.account}/reveal`, { reason, ...changes });
  expect([status, body.errors]).toMatchObject([422, [{ pointer, code }]]);
});

test.each([
  ['without pii.read', SCOPES.filter(scope => scope !== 'pii.read'), 'insufficient_scope', 'scope="pii.read"'],
  [
    'without operations.read',
    SCOPES.filter(scope => !scope.startsWith('operations')),
    'insufficient_scope',
    'scope="operations.read"',
  ],
])('%s nothing is shown, and the attempt is on record', async (_what, scopes, code, challenge) => {
  const of = await given();
  const me = gateway.as(await gateway.caller({ program: of.program, scopes }));
  const { customerId, account } = of;
  const { errors } = await me.graphql(REVEAL, { input: { accountId: account, customerId, reason } });
  const { status, headers } = await me.rest.post(`/accounts/${account}/reveal`, { customerId, reason });
  expect([restCode(errors?.[0].extensions.code), status]).toEqual([code, 403]);
  expect(headers['www-authenticate']).toContain(challenge);
  expect(await eventsOf(of)).toMatchObject([
    { outcome: 'DENIED', data: { code } },
    { outcome: 'DENIED', data: { code } },
  ]);
});

test('what is shown is in no log and no event, and the reason is in no log', async () => {
  const of = await given();
  const { customerId, account, secrets } = of;
  const mark = `Reason${digits(9)}`;
  const me = await operator(of);
  await me.rest.post(`/accounts/${account}/reveal`, { customerId, reason: mark }, keyed(unique('key')));
  const { rows } = await gateway.sql.query('SELECT e::text AS event FROM event e WHERE account_id = $1', [account]);
  const kept = [...gateway.log, ...rows.map(({ event }) => event as string)].join('\n');
  for (const value of [secrets.taxId, secrets.governmentId, secrets.email, '1981-07-09']) {
    expect(kept).not.toContain(value);
  }
  expect(gateway.log.join('\n')).not.toContain(mark);
});

test('the scope is checked before the input, over GraphQL as over REST', async () => {
  const of = await given();
  const me = gateway.as(await gateway.caller({ program: of.program, scopes: ['operations.read'] }));
  const input = { accountId: of.account, reason: '' };
  const { errors } = await me.graphql(REVEAL, { input });
  expect(errors?.[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
  const events = await eventsOf(of);
  expect(events.map(({ outcome }) => outcome)).toContain('DENIED');
});
