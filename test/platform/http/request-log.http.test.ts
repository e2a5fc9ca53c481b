import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ids = (id: string) => ({ headers: { 'x-request-id': id } });

/**
 * The line of a request: written when its connection says that the answer is out, which may be after the client has it.
 */
async function lineOf(id: string, of = gateway): Promise<Record<string, unknown>> {
  const isIts = (line: string) => line.includes(id) && line.includes('"msg":"request"');
  await until(async () => (await of.logged()).some(isIts));
  return JSON.parse(of.log.find(isIts) ?? '');
}

test('a GraphQL operation is told by its name, and what was refused by its code', async () => {
  const { account, caller, program } = await gateway.given.account();
  const [good, refused] = [unique('log'), unique('log')];
  const query = 'query Balance($id: ID!) { account(accountId: $id) { availableBalance events: __typename } }';
  for (const id of [good, ...Array.from({ length: 4 }, () => unique('log')), refused]) {
    const scopes = id === refused ? '' : undefined;
    const token = scopes === undefined ? caller : await gateway.caller({ program, scopes });
    await gateway.as(token).graphql(query, { id: account }, ids(id));
  }
  expect(await lineOf(good)).toMatchObject({ path: '/graphql', operation: 'Balance', program, status: 200 });
  expect(await lineOf(refused)).toMatchObject({ operation: 'Balance', status: 403, refused: ['insufficient_scope'] });
  expect(gateway.log.join('')).not.toContain(query);
});

test('a name with a number in it is left out, and so is one that is too long', async () => {
  const { account, caller } = await gateway.given.account();
  for (const name of ['Of123456789', 'x'.repeat(65)]) {
    const id = unique('log');
    await gateway.as(caller).graphql(`query ${name} { account(accountId: "${account}") { currency } }`, {}, ids(id));
    expect(await lineOf(id)).not.toHaveProperty('operation');
  }
  expect(gateway.log.join('')).not.toContain('123456789');
});

test('a refused REST request is told by its route and code, and never by what was sent', async () => {
  const { account, caller } = await gateway.given.account();
  const id = unique('log');
  const path = `/accounts/${account}/beneficiaries/4111111111111111`;
  await gateway.as(caller).rest.patch(path, { taxId: '123-45-6789' }, { 'x-request-id': id });
  expect(await lineOf(id)).toMatchObject({
    method: 'PATCH',
    operation: 'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId',
    status: 404,
    refused: ['beneficiary_not_found'],
  });
  expect(gateway.log.join('')).not.toMatch(/4111111111111111|123-45-6789/);
});

test.each([
  ['curl/8.14.1', 'curl/8.14.1'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.127 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.127 Safari/537.36',
  ],
  ['Teller/2.1 (ada@example.test; 4111 1111 1111 1111)', 'Teller/2.1 ([email]; [card number])'],
  ['Teller/987654321; (503) 555-0100; 503.555.0100; 1970-02-03', 'Teller/[number]; ([number]; [number]; [number]'],
  ['Teller/987-65-4321 Till/987 65 4321 Desk/1.22.333', 'Teller/[tax id] Till/[tax id] Desk/1.22.333'],
  ['Teller/1 Bearer abcdefghijklmnop', 'Teller/1 Bearer [token]'],
  ['Ada L\u00f3velace', '*'],
  ['\u009b31mred', '*'],
  ['x'.repeat(5000), 'x'.repeat(256)],
])('a user agent of %s is told as %s', async (sent, told) => {
  const id = unique('log');
  await gateway.as(null).rest.get('/livez', { ...ids(id).headers, 'user-agent': sent });
  expect((await lineOf(id))['userAgent']).toBe(told);
});

test('a line tells the address of the client, which a trusted proxy may name, and no other', async () => {
  const behind = await startTestGateway({ trustedProxies: ['127.0.0.1'] });
  const id = unique('log');
  const sent = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', ...ids(id).headers };
  for (const asked of [gateway, behind]) await asked.as(null).rest.get('/livez', sent);
  expect(await lineOf(id)).toMatchObject({ clientAddress: '127.0.0.1' });
  expect(await lineOf(id, behind)).toMatchObject({ clientAddress: '198.51.100.7' });
  await behind.stop();
});

test('without LOG_CLIENT_ADDRESS no line tells an address, not even of who tries tokens', async () => {
  const { logClientAddress } = readConfig({ LOG_CLIENT_ADDRESS: 'false' });
  const hiding = await startTestGateway({ logClientAddress, trustedProxies: ['127.0.0.1'], failedAuthPerMinute: 1 });
  const telling = await startTestGateway({ trustedProxies: ['127.0.0.1'], failedAuthPerMinute: 1 });
  const id = unique('log');
  for (const one of [hiding, telling]) {
    const headers = { ...ids(id).headers, 'x-forwarded-for': '198.51.100.7', authorization: 'Bearer forged' };
    await one.http.send({ path: '/accounts/a/beneficiaries', headers });
    await until(async () => {
      const text = (await one.logged()).join('');
      return text.includes('too many invalid credentials') && text.includes('"request"');
    });
  }
  await hiding.stop();
  await telling.stop();
  expect(hiding.log.join('')).not.toMatch(/198\.51\.100\.7|127\.0\.0\.1|clientAddress/);
  expect(telling.log.filter(line => line.includes('"clientAddress":"198.51.100.7"'))).toHaveLength(2);
});
