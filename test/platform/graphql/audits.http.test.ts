import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';

// What the specification of GraphQL over HTTP asks of a server, MUST, SHOULD and MAY alike.

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.caller();
});
afterAll(() => gateway.stop());

/** As any client of ours sends it: with its token, and by GET with the header that no browser sends by itself. */
const fetchFn = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}`, 'apollo-require-preflight': '1' },
  });

const audits = serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn });

test.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))('%s: %s', async (_id, _name, fn) => {
  expect(await fn()).toMatchObject({ status: 'ok' });
});
