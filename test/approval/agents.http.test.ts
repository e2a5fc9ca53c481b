import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType } from 'graphql';
import { SCOPES } from '../../src/shared/caller.js';
import { newHold } from '../hold/support/holds.js';
import { operationsServed } from '../security/owasp-operations.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { newCard } from '../support/card.js';
import { servedSchema } from '../support/served.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const ALL = `${SCOPES.join(' ')} agent`;
const STATED = { 'agent-reason': 'The customer lost the card.' };
/** Where a waiting request, its key, its event and what was denied are put on record. */
const RECORDS = [
  'approval',
  'account_event',
  'program_event',
  'idempotency_key',
  'denied_attempt',
  'feed',
  'feed_state',
];

/** What every other table holds, without the place of an account in the chain of its events. */
async function contents(): Promise<Record<string, string>> {
  const { rows } = await gateway.sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name <> ALL($1) AND table_name NOT LIKE '%migration%' AND table_name NOT LIKE 'api_request%' AND table_name NOT LIKE 'overview_%' AND table_name NOT IN ('key_holder', 'rate_limit')`,
    [RECORDS],
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const text = `SELECT md5(coalesce(string_agg(row, ',' ORDER BY row), '')) AS digest
      FROM (SELECT (to_jsonb(t) - '{event_seq,event_hash}'::text[])::text AS row FROM "${name}" t) AS rows`;
    const { rows: digests } = await gateway.sql.query<{ digest: string }>(text);
    found[name] = digests[0]?.digest ?? '';
  }
  return found;
}

/** A program whose record lets agents propose, with an account and all that writes are about. */
async function givenProgram(approvals: object | null = { agentProposals: true }) {
  const { program, account, owners, caller } = await gateway.given.account({ balanceMinor: 100_000n });
  await gateway.given.programRecord(program, { approvals });
  const { account: other } = await gateway.given.account({ program });
  const operator = gateway.as(caller);
  const card = await operator.rest.post('/cards/v1/cards', newCard(account, String(owners[0]), { status: 'Active' }));
  const hold = await operator.rest.post(`/accounts/${account}/holds`, newHold({ amount: 75 }));
  expect([card.status, hold.status]).toEqual([201, 201]);
  const { endpointId } = (await operator.rest.post('/webhook-endpoints', { url: 'https://bank.example/' })).body;
  const ids = {
    account,
    other,
    owner: owners[0] as string,
    cardId: card.body.cardId as string,
    holdId: hold.body.holdId as string,
  };
  const agent = gateway.as(await gateway.caller({ program, scopes: ALL, clientId: 'assistant', subject: 'maren' }));
  const approver = gateway.as(await gateway.caller({ program, subject: unique('approver') }));
  return { program, ...ids, endpointId: endpointId as string, operator, agent, approver };
}

test('no mutation of an agent changes anything, with all scopes and a reason', async () => {
  const { agent, operator, ...of } = await givenProgram();
  const values = {
    accountId: of.account,
    fromAccountId: of.account,
    toAccountId: of.other,
    cardId: of.cardId,
    cardHolderId: of.owner,
    holdId: of.holdId,
    endpointId: of.endpointId,
    customerId: of.owner,
    customerIds: [of.owner],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  };
  const served = [
    ...(await operationsServed(gateway, values)),
    ...(await operationsServed(gateway, { ...values, holdId: unique('hold') })).filter(({ name }) =>
      name.endsWith('placeHold'),
    ),
  ];
  const writes = served.filter(({ name }) => name.startsWith('Mutation.'));
  expect(writes.length).toBeGreaterThan(40);
  const before = await contents();
  const codes: Record<string, string> = {};
  for (const { name, text, variables } of writes) {
    const { errors } = await agent.graphql(text, variables, { headers: { ...keyed(unique('key')), ...STATED } });
    codes[name] = String(errors?.[0]?.extensions.code);
  }
  expect(await contents()).toEqual(before);
  expect(codes).toMatchObject({
    'Mutation.placeHold': 'APPROVAL_REQUIRED',
    'Mutation.freezeCard': 'APPROVAL_REQUIRED',
    'Mutation.approveApproval': 'NOT_FOR_AGENTS',
    'Mutation.revealPersonalData': 'NOT_FOR_AGENTS',
    'Mutation.addBeneficiary': 'NOT_FOR_AGENTS',
    'Mutation.createTransfers': 'NOT_FOR_AGENTS',
    'Mutation.importRecords': 'NOT_FOR_AGENTS',
    'Mutation.revokeTokens': 'NOT_FOR_AGENTS',
  });
  // The same operations change much for a person.
  for (const { text, variables } of writes.filter(({ name }) => /freezeCard|restrictAccount/.test(name))) {
    await operator.graphql(text, variables);
  }
  const after = await contents();
  expect(Object.keys(after).filter(name => after[name] !== before[name])).toEqual(
    expect.arrayContaining(['account', 'card']),
  );
});

test('no write of an agent over REST changes anything, with all scopes and a reason', async () => {
  const { agent, ...of } = await givenProgram();
  const { body: document } = await gateway
    .as(null)
    .rest.get<{ paths: Record<string, Record<string, unknown>> }>('/openapi.json');
  const values: Readonly<Record<string, string>> = { ...of, accountId: of.account, customerId: of.owner } as never;
  const before = await contents();
  const answers: Record<string, string> = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (method === 'get' || path === '/oauth/token') continue;
      const { requestBody } = operation as { requestBody?: { content: Record<string, { example?: object }> } };
      const address = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => values[name] ?? '2c9f5d0e-4b1a-4e36-9d0c-7a5b8e1f3c60',
      );
      const example = { ...requestBody?.content['application/json']?.example };
      const body = {
        ...example,
        ...('fromAccountId' in example && { fromAccountId: of.account, toAccountId: of.other }),
      };
      const headers = { ...keyed(unique('key')), ...STATED };
      const asking = { method: method.toUpperCase(), path: address, ...(requestBody && { body }) };
      const type = requestBody && { 'content-type': 'application/json' };
      const { status, body: answer } = await agent.raw({ ...asking, headers: { ...headers, ...type } });
      answers[`${method} ${path}`] = `${status} ${answer.code ?? answer.status}`;
    }
  }
  expect(Object.keys(answers).length).toBeGreaterThan(40);
  expect(await contents()).toEqual(before);
  expect(Object.entries(answers).filter(([, answer]) => answer.startsWith('2') && !answer.startsWith('202'))).toEqual(
    [],
  );
  expect(answers).toMatchObject({
    'post /accounts/{accountId}/holds/{holdId}/release': '202 ',
    'post /transfers': '202 ',
    'post /accounts/{accountId}/beneficiaries': '403 not_for_agents',
    'post /approvals/{approvalId}/approve': '403 not_for_agents',
    'post /accounts/{accountId}/reveal': '403 not_for_agents',
  });
});

describe('what an agent proposes', () => {
  const FREEZE = `mutation ($account: ID!, $card: ID!, $dryRun: Boolean) {
    freezeCard(input: { accountId: $account, cardId: $card, dryRun: $dryRun }) { replayed card { status } } }`;

  test('is done once a person approves it, who reads the agent and its reason', async () => {
    const { account, cardId, agent, approver, program } = await givenProgram();
    const headers = {
      ...keyed(unique('key')),
      'agent-reason': Buffer.from('Die Karte ging verloren – Köln.').toString('latin1'),
    };
    const freeze = () => agent.graphql(FREEZE, { account, card: cardId }, { headers });
    const { errors } = await freeze();
    const id = String(errors?.[0]?.extensions['approvalId']);
    const path = `/approvals/${id}`;
    expect((await approver.rest.get(path)).body).toMatchObject({
      status: 'WAITING',
      command: 'card.freeze',
      subject: 'maren',
      actor: 'assistant',
      statedReason: 'Die Karte ging verloren – Köln.',
      changes: [{ field: `cards/${cardId}/status`, before: 'ACTIVE', after: 'FROZEN' }],
    });
    expect((await agent.rest.get(path)).body.changes).toEqual([]);
    // Neither the agent nor its own person decides, with whatever client.
    expect((await agent.rest.post(`${path}/approve`)).body.code).toBe('not_for_agents');
    for (const [subject, clientId] of [
      ['maren', 'console'],
      ['assistant', 'assistant'],
    ] as const) {
      const own = gateway.as(await gateway.caller({ program, subject, clientId }));
      expect((await own.rest.post(`${path}/approve`)).body.code).toBe('own_approval');
    }
    expect((await approver.rest.post(`${path}/approve`)).body).toMatchObject({ status: 'APPROVED' });
    expect((await freeze()).data).toMatchObject({ freezeCard: { replayed: true, card: { status: 'FROZEN' } } });
    const EVENTS = `query ($account: ID!) { events(filter: { accountId: $account, actions: ["card.freeze", "approval.request"] }) {
      nodes { audit { action subject actor } } } }`;
    expect((await approver.graphql(EVENTS, { account })).data.events.nodes).toEqual(
      ['card.freeze', 'approval.request'].map(action => ({ audit: { action, subject: 'maren', actor: 'assistant' } })),
    );
  });

  test('waits with a reason and a key alone, and is refused where the record of the program lets agents read', async () => {
    const { account, cardId, agent } = await givenProgram();
    const codeOf = async (of: typeof agent, headers: Record<string, string>, more = {}) => {
      const { errors } = await of.graphql(FREEZE, { account, card: cardId, ...more }, { headers });
      return errors?.[0]?.extensions.code;
    };
    expect(await codeOf(agent, keyed(unique('key')))).toBe('AGENT_REASON_REQUIRED');
    expect(await codeOf(agent, STATED)).toBe('IDEMPOTENCY_KEY_REQUIRED');
    expect(await codeOf(agent, STATED, { dryRun: true })).toBe('APPROVAL_REQUIRED');
    expect(await codeOf(agent, { ...keyed('k'), 'agent-reason': 'x'.repeat(201) })).toBe('MALFORMED_REQUEST');
    for (const approvals of [null, { closingAccounts: true }]) {
      const other = await givenProgram(approvals);
      const headers = { ...keyed(unique('key')), ...STATED };
      const { errors } = await other.agent.graphql(FREEZE, { account: other.account, card: other.cardId }, { headers });
      expect(errors?.[0]?.extensions.code).toBe('AGENTS_ONLY_READ');
    }
  });

  test('of a customer waits as well, and what is there already needs no approval', async () => {
    const { program, account, cardId, owner, holdId, agent } = await givenProgram();
    const headers = { ...keyed(unique('key')), ...STATED };
    const ofCustomer = gateway.as(await gateway.caller({ program, customerId: owner, scopes: 'cards.write agent' }));
    const { errors } = await ofCustomer.graphql(FREEZE, { account, card: cardId }, { headers });
    expect(errors?.[0]?.extensions.code).toBe('APPROVAL_REQUIRED');
    const released = await agent.rest.post(`/accounts/${account}/holds/${holdId}/release`, {}, headers);
    expect([released.status, released.body.status]).toEqual([202, 'WAITING']);
  });
});

test('an agent never sees a whole government id', async () => {
  const { program } = await givenProgram();
  const { customer, governmentId } = await gateway.given.customer({ program });
  const QUERY = `query ($customer: ID!) { customer(customerId: $customer) { governmentId } }`;
  const read = async (scopes: string) => {
    const { data } = await gateway.as(await gateway.caller({ program, scopes })).graphql(QUERY, { customer });
    return data.customer.governmentId as string;
  };
  expect(await read('operations.read pii.read')).toBe(governmentId);
  expect(await read('operations.read pii.read agent')).toMatch(/^\*+\d{4}$/);
});

describe('personal data', () => {
  const ADDRESS = { line1: '17 Quill Lane', line2: 'Loft', line3: null, city: 'Saltmarsh', state: 'ME' };
  const address = { ...ADDRESS, postalCode: '00240', country: 'US', type: 'HOME' as const };
  const maskedAddress = { ...address, line1: '***', line2: '***', city: '***', postalCode: '***' };
  const telephone = { type: 'CELL' as const, country: 'US', number: '+1 503 555 0142' };
  const maskedTelephone = { ...telephone, number: '***********0142' };
  /** What no answer to an agent has. */
  const WHOLE = /1970-02-03|Quill Lane|Saltmarsh|00240|503 555|maren\.q@|juniper@/;
  const PERSON = `addresses { line1 line2 line3 city state postalCode country type }`;
  const CUSTOMER = `dateOfBirth contact { email telephones { type country number } } ${PERSON}`;
  const BENEFICIARY = `id dateOfBirth emails { type email } phones { type country number } ${PERSON}`;

  /** An owner and a beneficiary of an account, an agent with all scopes, and a person with the same. */
  async function givenPeople() {
    const program = unique('program');
    await gateway.given.programRecord(program, { approvals: { agentProposals: true } });
    const contact = { email: ['maren.q@example.com'], telephones: [telephone] };
    const { customer } = await gateway.given.customer({ program, contact, addresses: [address] });
    const of = await gateway.given.account({ program, owners: [customer] });
    const { beneficiary } = await gateway.given.beneficiary({
      of,
      dateOfBirth: '1970-02-03',
      addresses: [address],
      emails: [{ type: 'HOME', email: 'juniper@example.com' }],
      phones: [telephone],
    });
    const agent = gateway.as(await gateway.caller({ program, scopes: ALL }));
    const person = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
    return { program, account: of.account, customer, beneficiary, agent, person };
  }

  test('is masked for agents over GraphQL, by whatever field they come to it, and whole for people', async () => {
    const { account, customer, beneficiary, agent, person } = await givenPeople();
    const QUERY = `query ($account: ID!, $customer: ID!, $beneficiary: ID!) {
      customer(customerId: $customer) { id ${CUSTOMER} }
      customers(first: 1) { nodes { ${CUSTOMER} } }
      account(accountId: $account) {
        owners { id contact { email telephones { type country number } } customer { ${CUSTOMER} } }
        beneficiaries(first: 1) { nodes { ${BENEFICIARY} } }
        beneficiary(beneficiaryId: $beneficiary) { ${BENEFICIARY} } } }`;
    const NODES = `query ($customer: ID!, $owner: ID!, $beneficiary: ID!) {
      customer: node(id: $customer) { ... on Customer { ${CUSTOMER} } }
      owner: node(id: $owner) { ... on Owner { contact { email } } }
      beneficiary: node(id: $beneficiary) { ... on Beneficiary { ${BENEFICIARY} } } }`;
    const read = async (caller: typeof agent) => {
      const { data, errors, text } = await caller.graphql(QUERY, { account, customer, beneficiary });
      expect(errors).toBeUndefined();
      const nodes = await caller.graphql(NODES, {
        customer: data.customer.id,
        owner: data.account.owners[0].id,
        beneficiary: data.account.beneficiary.id,
      });
      expect(nodes.errors).toBeUndefined();
      return { data, text: text + nodes.text };
    };
    const contact = { email: ['m***@example.com'], telephones: [maskedTelephone] };
    const seen = { dateOfBirth: null, contact, addresses: [maskedAddress] };
    const seenBeneficiary = {
      dateOfBirth: null,
      emails: [{ type: 'HOME', email: 'j***@example.com' }],
      phones: [maskedTelephone],
      addresses: [maskedAddress],
    };
    const masked = await read(agent);
    expect(masked.data).toMatchObject({
      customer: seen,
      customers: { nodes: [seen] },
      account: {
        owners: [{ contact, customer: seen }],
        beneficiaries: { nodes: [seenBeneficiary] },
        beneficiary: seenBeneficiary,
      },
    });
    expect(masked.text).not.toMatch(WHOLE);
    const whole = await read(person);
    expect(whole.data).toMatchObject({
      customer: { dateOfBirth: '1970-02-03', addresses: [address], contact: { email: ['maren.q@example.com'] } },
      account: { beneficiary: { dateOfBirth: '1970-02-03', phones: [telephone] } },
    });
  });

  test('is masked for agents over REST, and documents are for people', async () => {
    const { program, account, customer, beneficiary, agent, person } = await givenPeople();
    const { path } = await gateway.given.statement({ of: { program, account, owners: [customer], caller: '' } });
    const paths = [`/customers/${customer}`, '/customers', `/accounts/${account}/beneficiaries/${beneficiary}`];
    for (const one of paths) {
      const [masked, whole] = [await agent.rest.get(one), await person.rest.get(one)];
      expect([masked.status, whole.status]).toEqual([200, 200]);
      expect(masked.text).toContain('***@example.com');
      expect(masked.text).not.toMatch(WHOLE);
      expect(whole.text).toMatch(WHOLE);
    }
    for (const accept of ['application/pdf', 'application/json']) {
      const refused = await agent.rest.get(path, { accept });
      expect([refused.status, refused.body.code]).toEqual([403, 'not_for_agents']);
    }
    const report = `/accounts/${account}/transactions?startTime=2026-03-01&endTime=2026-03-31`;
    const printed = await agent.rest.get(`${report}&format=pdf`);
    expect([printed.status, printed.body.code]).toEqual([403, 'not_for_agents']);
    expect((await agent.rest.get(`${report}&format=csv`)).status).toBe(200);
    expect((await person.rest.get(path)).status).toBe(200);
    expect((await agent.rest.get(`/accounts/${account}/statements`)).status).toBe(200);
  });

  test('is masked in the result of what an agent proposed and a person approved', async () => {
    const { program, account, agent } = await givenPeople();
    const contact = { email: ['juniper@example.com'], telephones: [telephone] };
    const { customer } = await gateway.given.customer({ program, contact });
    const body = { holders: [{ customerId: customer }] };
    const headers = { ...keyed(unique('key')), ...STATED };
    const add = () => agent.rest.post(`/accounts/${account}/owners/add`, body, headers);
    const { approvalId } = (await add()).body;
    const approver = gateway.as(await gateway.caller({ program, subject: unique('approver') }));
    expect((await approver.rest.post(`/approvals/${approvalId}/approve`)).body.status).toBe('APPROVED');
    const added = await add();
    expect(added.body.holders).toMatchObject([{ ownerStatus: 'Added', contact: { email: ['j***@example.com'] } }]);
    expect(added.text).not.toMatch(WHOLE);
  });

  test('is shown by the records of customers, owners and beneficiaries alone, whose services mask it', async () => {
    const PERSONAL = new Set(['Contact', 'Address', 'Email', 'Phone']);
    const schema = await servedSchema(gateway);
    const showing = Object.values(schema.getTypeMap()).flatMap(type =>
      isObjectType(type) && !PERSONAL.has(type.name)
        ? Object.values(type.getFields()).flatMap(field =>
            PERSONAL.has(getNamedType(field.type).name) || /birth/i.test(field.name)
              ? `${type.name}.${field.name}`
              : [],
          )
        : [],
    );
    // The last ones are revealed to people, with a reason.
    expect(showing.toSorted()).toEqual([
      'Beneficiary.addresses',
      'Beneficiary.dateOfBirth',
      'Beneficiary.emails',
      'Beneficiary.phones',
      'Customer.addresses',
      'Customer.contact',
      'Customer.dateOfBirth',
      'Owner.contact',
      'RevealedPersonalData.addresses',
      'RevealedPersonalData.dateOfBirth',
      'RevealedPersonalData.phones',
    ]);
  });
});

test('what an agent may not do is on record as denied, with its name', async () => {
  const { account, cardId, agent, operator } = await givenProgram(null);
  const ADD = `mutation ($id: ID!) { closeCard(input: { accountId: $id, cardId: "${cardId}" }) { replayed } }`;
  await agent.graphql(ADD, { id: account }, { headers: { ...keyed(unique('key')), ...STATED } });
  const REPORT = `mutation ($id: ID!) { restrictAccount(input: { accountId: $id, reason: "Court order" }) { replayed } }`;
  await agent.graphql(REPORT, { id: account });
  await gateway.recorded();
  const EVENTS = `query ($id: ID!) { events(filter: { accountId: $id, outcome: DENIED }) { nodes { audit { action actor data } } } }`;
  const { data } = await operator.graphql(EVENTS, { id: account });
  expect(data.events.nodes).toEqual(
    expect.arrayContaining([
      {
        audit: {
          action: 'card.close',
          actor: 'assistant',
          data: expect.objectContaining({ code: 'agents_only_read' }),
        },
      },
      {
        audit: {
          action: 'account.restrict',
          actor: 'assistant',
          data: expect.objectContaining({ code: 'not_for_agents' }),
        },
      },
    ]),
  );
});
