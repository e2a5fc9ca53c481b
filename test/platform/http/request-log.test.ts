import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ids = (id: string) => ({ headers: { 'x-request-id': id } });

/** The line of a request: written when its connection says that the answer is out, which may be after the client has it. */
async function lineOf(id: string): Promise<object> {
  const isIts = (line: string) => line.includes(id) && line.includes('"msg":"request"');
  await until(() => gateway.log.some(isIts));
  return JSON.parse(gateway.log.find(isIts) ?? '');
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
    ...{ method: 'PATCH', operation: 'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId' },
    ...{ status: 404, refused: ['beneficiary_not_found'] },
  });
  expect(gateway.log.join('')).not.toMatch(/4111111111111111|123-45-6789/);
});
