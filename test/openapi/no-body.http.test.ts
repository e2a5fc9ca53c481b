import { afterAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SCOPES } from '../../src/shared/caller.js';
import { contractServed } from '../support/served.js';
import { startTestGateway } from '../support/gateway.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());

const { document } = await contractServed(gateway);
/** Writes whose path says all. */
const paths = Object.entries(document.paths as Record<string, Record<string, { requestBody?: object }>>)
  .filter(([, { post }]) => post && !post.requestBody)
  .map(([path]) => path);

test('some writes take no body, and releasing a hold is one of them', () => {
  expect(paths).toContain('/accounts/{accountId}/holds/{holdId}/release');
});

test.each(paths)('POST %s refuses a body that says something, since nobody would read it', async path => {
  const { rest } = gateway.as(await gateway.caller({ scopes: SCOPES }));
  const address = path.replaceAll(/\{\w+\}/g, () => randomUUID());
  const sent = async (body: unknown, headers = {}) => (await rest.post(address, body, headers)).body;
  expect(await sent({ amount: '5.00', '4711 0815': 1 })).toMatchObject({
    code: 'invalid_input',
    errors: [
      { pointer: '/amount', code: 'unknown_field' },
      { pointer: '', code: 'unknown_field' },
    ],
  });
  for (const body of ['[]', '"text"', 'null', '7']) {
    expect(await sent(body, { 'content-type': 'application/json' })).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '', code: 'wrong_type' }],
    });
  }
  expect((await sent('amount=5', { 'content-type': 'text/plain' })).code).toBe('unsupported_media_type');
  // Of a body that says nothing the refusal is about the id.
  for (const body of [{}, undefined]) expect((await sent(body)).code).toMatch(/_not_found$/);
});
