import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';

const PLAIN = 'application/json; charset=utf-8';
const OWN = 'application/graphql-response+json; charset=utf-8';
/** What Apollo Client 4 sends. */
const APOLLO = 'application/graphql-response+json,application/json;q=0.9';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function ask(token: string, accept: string | undefined, query = '{ __typename }') {
  const { status, headers, text } = await gateway.as(token).raw({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
    body: { query },
  });
  return { status, type: headers['content-type'], text };
}

test.each([
  [undefined, PLAIN],
  ['*/*', PLAIN],
  ['application/json', PLAIN],
  ['application/json, application/graphql-response+json;q=0.5', PLAIN],
  ['multipart/mixed;deferSpec=20220824,application/json', PLAIN],
  ['application/graphql-response+json', OWN],
  [APOLLO, OWN],
])('a client that takes %s gets %s, whichever way its operation runs', async (accept, type) => {
  const { caller, account } = await gateway.given.account();
  const query = `{ account(accountId: "${account}") { status } }`;
  const answers = [];
  // From the fourth on it runs compiled.
  for (let n = 0; n < 6; n++) answers.push(await ask(caller, accept, query));
  for (const answer of answers) {
    expect(answer).toEqual({ status: 200, type, text: '{"data":{"account":{"status":"OPEN"}}}\n' });
  }
});

test.each([
  [undefined, PLAIN],
  ['application/json', PLAIN],
  [APOLLO, OWN],
  ['text/plain', PLAIN],
])('a refusal at the api comes to a client that takes %s as %s', async (accept, type) => {
  expect(await ask('nonsense', accept)).toMatchObject({ status: 401, type });
});

test('who takes none of the types is told which there are', async () => {
  const { status, text } = await ask(await gateway.caller(), 'text/plain');
  expect(status).toBe(406);
  expect(text).toContain('application/graphql-response+json');
});
