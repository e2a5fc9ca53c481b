import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../src/shared/caller.js';
import { otherPaths, routesServed } from '../security/owasp-operations.js';
import { newCard } from '../support/card.js';
import { isOtherwiseDescribed } from '../support/contract.js';
import { startTestGateway, type Answer, type TestGateway } from '../support/gateway.js';
import { newBeneficiary } from '../support/given.js';
import { pdfOf } from '../support/statement.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/**
 * Each operation in every way that succeeds. The answers themselves are held against the document wherever a test asks.
 */
const CALLS: Record<string, () => Promise<readonly Answer[]>> = {
  listBeneficiaries: async () => {
    const of = await gateway.given.account();
    await gateway.given.beneficiaries(of, 3);
    const { rest } = gateway.as(of.caller);
    const path = `/accounts/${of.account}/beneficiaries`;
    return [await rest.get(path), await rest.get(`${path}?limit=1&offSet=1`), await rest.get(`${path}?offset=3`)];
  },
  addBeneficiary: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const add = () =>
      rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary({ taxId: '900121025' }), {
        'idempotency-key': 'the-same',
      });
    return [await add(), await add()];
  },
  getBeneficiary: async () => {
    const { account, beneficiary, caller } = await gateway.given.beneficiary();
    return [await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries/${beneficiary}`)];
  },
  updateBeneficiary: async () => {
    const { account, beneficiary, caller } = await gateway.given.beneficiary();
    const { rest } = gateway.as(caller);
    const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
    return [
      await rest.patch(path, { name: { middle: null }, dateOfBirth: null, taxId: null, taxIdType: null }),
      await rest.patch(path, { addresses: [] }, { 'content-type': 'application/merge-patch+json' }),
    ];
  },
  deleteBeneficiary: async () => {
    const { account, beneficiary, caller } = await gateway.given.beneficiary();
    return [await gateway.as(caller).rest.delete(`/accounts/${account}/beneficiaries/${beneficiary}`)];
  },
  addOwners: async () => {
    const of = await gateway.given.account();
    const { customer } = await gateway.given.customer({ program: of.program });
    const bare = await gateway.given.customer({
      program: of.program,
      contact: { email: [], telephones: [{ type: 'CELL', country: null, number: '1' }] },
    });
    const holders = [customer, bare.customer, randomUUID()].map(customerId => ({ customerId }));
    return [await gateway.as(of.caller).rest.post(`/accounts/${of.account}/owners/add`, { holders })];
  },
  removeOwners: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const holders = [...owners, randomUUID()].map(customerId => ({ customerId }));
    return [await gateway.as(caller).rest.post(`/accounts/${account}/owners/remove`, { holders })];
  },
  listTransactions: async () => {
    const { account, caller } = await gateway.given.account();
    const input = [1, 2, 3].map(number => ({
      ...{ transactionId: `t${number}`, amount: '1.00', debitCreditMemo: 'CREDIT', category: 'ACH', status: 'POSTED' },
      ...{ transactionType: 'DIRECTDEPOSIT', transactionTimestamp: '2026-05-01T12:00:00Z' },
      ...{ postedTimestamp: '2026-05-01T12:00:00Z', lineItem: [{ description: 'One', imageIds: ['i'] }] },
    }));
    const { rest } = gateway.as(caller);
    await gateway.as(caller).graphql(
      `mutation ($account: ID!, $input: [TransactionInput!]!) {
        postTransactions(accountId: $account, transactions: $input) { __typename } }`,
      { account, input },
    );
    const path = `/accounts/${account}/transactions`;
    const filters = 'startTime=2026-05-01&endTime=2026-05-31T00:00:00Z&category=ACH,CARD&category=WIRE&minAmount=1.00';
    const first = await rest.get(`${path}?limit=2&${filters}`);
    return [first, await rest.get(first.body.links.next.href), await rest.get(`${path}?search=nothing`)];
  },
  listStatements: async () => {
    const of = await gateway.given.statement();
    await gateway.given.statement({ of, documentType: 'TAX_1099' });
    const { rest } = gateway.as(of.caller);
    const path = `/accounts/${of.account}/statements`;
    return [await rest.get(`${path}?limit=1`), await rest.get(`${path}?documentType=1099&offSet=1`)];
  },
  addStatement: async () => {
    const { account, caller } = await gateway.given.account();
    const path = `/accounts/${account}/statements?statementDate=2026-05-31&description=May`;
    const headers = { 'content-type': 'application/pdf' };
    return [await gateway.as(caller).raw({ method: 'POST', path, headers, body: pdfOf() })];
  },
  downloadStatement: async () => {
    const [statement, form, partners] = [
      await gateway.given.statement(),
      await gateway.given.statement({ documentType: 'TAX_1099' }),
      await gateway.given.statement({ source: 'PARTNER' }),
    ];
    const get = ({ caller, path }: typeof statement, headers: Record<string, string> = {}) =>
      gateway.as(caller).rest.get(path, headers);
    const pdf = await get(statement);
    return [
      ...[pdf, await get(statement, { accept: 'text/csv' }), await get(statement, { accept: 'application/json' })],
      ...[await get(form), await get(form, { accept: 'application/json' }), await get(partners)],
      await get(statement, { range: 'bytes=0-9' }),
      await get(statement, { 'if-none-match': String(pdf.headers.etag) }),
    ];
  },
  createCard: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const { cardId: _, pin: __, ...least } = newCard(account, owners[0] as string);
    return [
      await rest.post('/cards/v1/cards', newCard(account, owners[0] as string)),
      await rest.post('/cards/v1/cards', { ...least, type: 'Virtual', status: 'Frozen' }),
    ];
  },
  getCard: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const { headers } = await rest.post('/cards/v1/cards', newCard(account, owners[0] as string));
    return [await rest.get(headers.location as string)];
  },
  getToken: async () => [
    await gateway.as(null).raw({
      ...{ method: 'POST', path: '/oauth/token', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      body: 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret',
    }),
  ],
  followEvents: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    await rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary());
    await gateway.feedReady();
    const first = await rest.get(`/events?accountId=${account}&types=beneficiary.added&limit=1`);
    return [first, await rest.get(first.body.links.next.href)];
  },
  listWebhookEndpoints: async () => {
    const { rest } = await operator();
    for (let count = 0; count < 2; count++) await rest.post('/webhook-endpoints', { url: 'https://bank.example/' });
    const first = await rest.get('/webhook-endpoints?limit=1');
    return [first, await rest.get(first.body.links.next.href)];
  },
  createWebhookEndpoint: async () => {
    const { account, rest } = await operator();
    const input = { url: 'https://bank.example/hook?a=b', description: 'Core', types: ['card.frozen'] };
    return [
      await rest.post('/webhook-endpoints', { ...input, accountIds: [account] }),
      await rest.post('/webhook-endpoints', { url: 'https://bank.example', signing: 'V1A' }),
    ];
  },
  getWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.get(path)];
  },
  updateWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [
      await rest.patch(path, { types: ['card.frozen'], accountIds: [], description: 'Ledger' }),
      await rest.patch(path, { status: 'DISABLED' }, { 'content-type': 'application/merge-patch+json' }),
    ];
  },
  deleteWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.delete(path)];
  },
  rotateWebhookSecret: async () => {
    const [one, other] = [await webhookEndpoint(), await webhookEndpoint({ signing: 'V1A' })];
    return [await one.rest.post(`${one.path}/rotate-secret`), await other.rest.post(`${other.path}/rotate-secret`)];
  },
  listWebhookDeliveries: async () => {
    const { rest, path } = await webhookEndpoint();
    for (const type of ['card.frozen', 'card.closed']) await rest.post(`${path}/test`, { type });
    const first = await rest.get(`${path}/deliveries?limit=1&types=card.frozen,card.closed`);
    return [first, await rest.get(first.body.links.next.href)];
  },
  sendTestEvent: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.post(`${path}/test`, { type: 'card.frozen' })];
  },
  recoverWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.post(`${path}/recover`, { since: new Date(Date.now() - 60_000).toISOString() })];
  },
  getWebhookDelivery: async () => {
    const { rest, path } = await webhookEndpoint();
    const { headers } = await rest.post(`${path}/test`, { type: 'card.frozen' });
    return [await rest.get(headers.location as string)];
  },
  resendWebhookDelivery: async () => {
    const { rest, path } = await webhookEndpoint();
    const { headers } = await rest.post(`${path}/test`, { type: 'card.frozen' });
    return [await rest.post(`${headers.location as string}/resend`)];
  },
  isAlive: async () => [await gateway.as(null).rest.get('/livez')],
  isReady: async () => [await gateway.as(null).rest.get('/readyz')],
  getMetrics: async () => [await gateway.as(null).rest.get('/metrics')],
  getOpenApi: async () => {
    const { rest } = gateway.as(null);
    const first = await rest.get('/openapi.json');
    return [first, await rest.get('/openapi.json', { 'if-none-match': String(first.headers.etag) })];
  },
  getEventSchema: async () => {
    const { rest } = gateway.as(null);
    const first = await rest.get('/events.schema.json');
    return [first, await rest.get('/events.schema.json', { 'if-none-match': String(first.headers.etag) })];
  },
};

async function operator() {
  const { account, caller } = await gateway.given.account();
  return { account, rest: gateway.as(caller).rest };
}

async function webhookEndpoint(input: object = {}) {
  const { rest } = await operator();
  const { headers } = await rest.post('/webhook-endpoints', { url: 'https://bank.example/', ...input });
  return { rest, path: headers.location as string };
}

test('every operation answers with each status that is documented for when it is not refused', async () => {
  const { operations } = gateway.contract;
  expect(Object.keys(CALLS).sort()).toEqual(operations.map(({ id }) => id).sort());
  for (const { id, operation } of operations) {
    const answers = await (CALLS[id] as () => Promise<readonly Answer[]>)();
    const documented = Object.keys(operation['responses']).filter(status => Number(status) < 400);
    expect([id, [...new Set(answers.map(({ status }) => String(status)))].sort()]).toEqual([id, documented.sort()]);
  }
});

test('every content type that is documented of an answer is answered', async () => {
  for (const { id, operation } of gateway.contract.operations) {
    const documented = Object.keys(operation['responses']['200']?.content ?? {});
    const answers = await (CALLS[id] as () => Promise<readonly Answer[]>)();
    const given = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => String(headers['content-type']).split(';', 1).join());
    expect([id, [...new Set(given)].sort()]).toEqual([id, documented.sort()]);
  }
});

describe('what is served', () => {
  test('every route is documented, and nothing else is', async () => {
    const documented = gateway.contract.operations.map(
      ({ method, template }) => `${method.toUpperCase()} ${template.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    const ofNouns = await routesServed();
    expect(documented).toEqual(expect.arrayContaining(ofNouns));
    const others = documented.filter(route => !ofNouns.includes(route)).map(route => route.split(' ').slice(1).join());
    const served = (await otherPaths()).filter(path => !isOtherwiseDescribed(path));
    expect(others.sort()).toEqual(served);
  });
});

describe('who may', () => {
  const path = (template: string) => template.replace('{docType}', 'Statements').replace(/\{\w+\}/g, randomUUID());

  test('a token needs the scope that is documented, and no other', async () => {
    for (const { id, method, template, operation } of gateway.contract.operations) {
      for (const { accessToken } of operation['security']) {
        if (!accessToken) continue;
        const scope = operation['x-required-scope'] as string;
        const ask = async (scopes: readonly string[]) =>
          gateway
            .as(await gateway.caller({ scopes: scopes.join(' ') }))
            .raw({ method: method.toUpperCase(), path: path(template) });
        const without = await ask(SCOPES.filter(other => other !== scope));
        expect([id, without.status, without.body.code]).toEqual([id, 403, 'insufficient_scope']);
        expect(without.headers['www-authenticate']).toMatch(new RegExp(`scope="${scope}"$`));
        const alone = await ask([scope]);
        expect([id, [401, 403].includes(alone.status)]).toEqual([id, false]);
      }
    }
  });

  test('what is documented to need no token needs none, and all else does', async () => {
    for (const { id, method, template, operation } of gateway.contract.operations) {
      const needsToken = operation['security'].some((way: object) => 'accessToken' in way);
      const { status, body } = await gateway.as(null).raw({ method: method.toUpperCase(), path: path(template) });
      expect([id, status === 401 && body.code === 'unauthenticated']).toEqual([id, needsToken]);
    }
  });
});
