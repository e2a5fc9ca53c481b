import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type Answer, type TestGateway } from '../support/gateway.js';
import { newBeneficiary } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** An answer as the gateway gave it, with something else in it. */
async function answered(path: string, changes: (answer: Answer) => Partial<Answer>): Promise<Answer> {
  const { account, caller } = await gateway.given.beneficiary();
  const answer = await gateway.as(caller).rest.get(path.replace('ACCOUNT', account));
  return { ...answer, ...changes(answer) };
}

const changed = (body: object): Partial<Answer> => ({ text: JSON.stringify(body) });

const LIST = '/accounts/ACCOUNT/beneficiaries';

test.each<[what: string, path: string, asked: string, changes: (answer: Answer) => Partial<Answer>]>([
  ['a property that is not documented', LIST, LIST, ({ body }) => changed({ ...body, more: 1 })],
  ['a property of another type', LIST, LIST, ({ body }) => changed({ ...body, page: { totalElements: '1' } })],
  ['a status that is not documented', LIST, LIST, () => ({ status: 202 })],
  ['a content type', LIST, LIST, ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/html' } })],
  ['a missing header', LIST, LIST, ({ headers }) => ({ headers: { ...headers, 'x-request-id': undefined } })],
  ['a header that is not documented', LIST, LIST, ({ headers }) => ({ headers: { ...headers, location: '/' } })],
  ['another code', `${LIST}?x=1`, LIST, ({ body }) => changed({ ...body, code: 'card_not_found' })],
  ['an answer of no documented route', '/livez', '/alivez', answer => answer],
])('the tests would tell %s', async (_what, path, asked, changes) => {
  const answer = await answered(path, changes);
  await expect(gateway.check({ path: asked }, answer)).rejects.toThrow('not as documented');
});

test('the tests would tell a body that is taken, and not as documented', async () => {
  const { account, caller } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  const answer = await gateway.as(caller).rest.post(path, newBeneficiary());
  const asking = { method: 'POST', path, headers: { 'content-type': 'application/json' } };
  const tooMuch = { ...asking, body: newBeneficiary({ sharePercentage: 101 }) };
  await expect(gateway.check(tooMuch, answer)).rejects.toThrow('the request/sharePercentage must be <= 100');
  const undocumented = { ...asking, path: `${path}?x=1`, body: newBeneficiary() };
  await expect(gateway.check(undocumented, answer)).rejects.toThrow('the query parameter x');
});
