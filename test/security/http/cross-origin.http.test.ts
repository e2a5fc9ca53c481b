import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';

const OURS = 'https://app.bank.example';
const THEIRS = 'https://evil.example';

let gateway: TestGateway;
let closed: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ corsOrigins: [OURS, 'http://localhost:5173'] });
  closed = await startTestGateway();
});
afterAll(() => Promise.all([gateway.stop(), closed.stop()]));

const preflight = (path: string, origin: string, to = gateway) =>
  to.as(null).raw({
    method: 'OPTIONS',
    path,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-idempotency-key',
    },
  });

test.each(['/graphql', '/accounts/a/beneficiaries'])(
  'a page of ours may ask %s, and learns so without a token',
  async path => {
    const { status, headers, text } = await preflight(path, OURS);
    expect([status, text, headers['access-control-allow-origin']]).toEqual([204, '', OURS]);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-allow-methods']).toBe('GET,QUERY,POST,PATCH,DELETE');
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(',');
    expect(allowed).toEqual([
      'authorization',
      'dpop',
      'content-type',
      'x-idempotency-key',
      'idempotency-key',
      'x-request-id',
      'x-fapi-interaction-id',
      'tillgate-position',
      'if-match',
      'if-none-match',
      'apollo-require-preflight',
      'x-apollo-operation-name',
    ]);
    expect(headers.vary).toContain('Origin');
  },
);

test('OPTIONS that is no preflight says what a path allows, with CORS and without', async () => {
  for (const to of [gateway, closed]) {
    const caller = await to.caller();
    for (const headers of [{}, { origin: OURS }]) {
      const answer = await to.as(caller).raw({ method: 'OPTIONS', path: '/cards/v1/cards', headers });
      expect([answer.status, answer.headers.allow]).toEqual([204, 'POST, OPTIONS']);
      const mayRead = to === gateway && 'origin' in headers ? OURS : undefined;
      expect(answer.headers['access-control-allow-origin']).toBe(mayRead);
    }
  }
});

test.each(['/graphql', '/accounts/a/beneficiaries'])('no other page may ask %s', async path => {
  for (const origin of [THEIRS, 'null', `${OURS}.evil.example`, OURS.replace('https', 'http'), `${OURS}:8443`]) {
    const { headers } = await preflight(path, origin);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toContain('Origin');
  }
});

test('a page of ours may read answers and refusals of GraphQL and REST, with the headers that belong to them', async () => {
  const { caller, account } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  const answers = [
    await gateway.as(caller).rest.get(path, { origin: OURS }),
    await gateway.as(caller).rest.post(path, leastBeneficiary(), { origin: OURS, 'x-idempotency-key': 'a' }),
    await gateway.as(null).rest.get(path, { origin: OURS }),
    await gateway.as(caller).graphql('{ __typename }', {}, { headers: { origin: OURS } }),
    await gateway.as(null).graphql('{ __typename }', {}, { headers: { origin: OURS } }),
    await gateway.as(caller).raw({ path: `/${'x'.repeat(9000)}`, headers: { origin: OURS } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 401, 200, 401, 414]);
  for (const { headers } of answers) {
    expect(headers['access-control-allow-origin']).toBe(OURS);
    const exposed = String(headers['access-control-expose-headers']).split(',');
    for (const name of [
      'X-Request-Id',
      'Idempotent-Replayed',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Location',
      'ETag',
      'Tillgate-Position',
    ]) {
      expect(exposed).toContain(name);
    }
    expect(headers.vary).toContain('Origin');
  }
});

test('an answer to nobody in particular says that it would be another one for a page', async () => {
  const { headers } = await gateway.as(await gateway.caller()).graphql('{ __typename }');
  expect([headers.vary, headers['access-control-allow-origin']]).toEqual(['Origin', undefined]);
});

test('without the setting no page may ask anything', async () => {
  const { status, headers } = await preflight('/graphql', OURS, closed);
  expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([401, undefined, undefined]);
  const read = await closed.as(await closed.caller()).graphql('{ __typename }', {}, { headers: { origin: OURS } });
  expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, undefined]);
});
