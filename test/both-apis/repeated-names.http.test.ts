import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const DETAIL = 'The object contains this name twice. Send it once.';

test.each([
  ['"sharePercentage":1,', '/sharePercentage'],
  [String.raw`"share\u0050ercentage":1,`, '/sharePercentage'],
  ['"emails":[{"type":"HOME","type":"HOME","email":"a@b.example"}],', '/emails/0/type'],
  ['"123-45-6789":{"a":1,"a":2},', ''],
])('a body with %s and a name twice is refused where it stands, and nothing is written', async (more, pointer) => {
  const { account, caller } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  const body = `{${more}${JSON.stringify(leastBeneficiary()).slice(1)}`;
  const before = await gateway.rows();
  const answer = await gateway.as(caller).raw({ method: 'POST', path, headers: JSON_TYPE, body });
  expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
    400,
    'invalid_input',
    [{ pointer, code: 'repeated', detail: DETAIL }],
  ]);
  expect(answer.text).not.toContain('123-45');
  expect(await gateway.rows()).toEqual(before);
});

test('a GraphQL request with a name twice is refused where it stands in the body', async () => {
  const { account, caller } = await gateway.given.account();
  const query = 'query ($id: ID!) { account(accountId: $id) { accountId } }';
  const asked = [
    [`{"query":${JSON.stringify(query)},"variables":{"id":"none","id":"${account}"}}`, '/variables/id'],
    [`{"query":"{ __typename }","query":${JSON.stringify(query)},"variables":{"id":"${account}"}}`, '/query'],
  ] as const;
  for (const [body, pointer] of asked) {
    const answer = await gateway.as(caller).raw({ method: 'POST', path: '/graphql', headers: JSON_TYPE, body });
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ extensions: { code: 'INVALID_INPUT', errors: [{ pointer, code: 'repeated', detail: DETAIL }] } }],
    ]);
  }
});

test('a body of many escapes, or nested without end, is answered like others', async () => {
  const { account, caller } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  const bodies = [
    `{"a":"\\u003a${'\\n'.repeat(400_000)}"}`,
    `{"a":1,"a":"${'\\n'.repeat(400_000)}"}`,
    `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
    `{"a":1,"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  ];
  for (const body of bodies) {
    const answer = await gateway.as(caller).raw({ method: 'POST', path, headers: JSON_TYPE, body });
    expect([400, 413]).toContain(answer.status);
  }
  const id = unique('still');
  expect((await gateway.as(caller).rest.get('/livez', { 'x-request-id': id })).status).toBe(200);
});
