import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issue, post } from '../statement/issue/issuing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('who has left an account since the end of the year is still the recipient of its form', async () => {
  const of = await gateway.given.account({ owners: 2 });
  const [primary = ''] = of.owners;
  await post(gateway, of, [{ at: '2025-03-01', amount: '20.00', type: 'INTEREST' }]);
  await issue(gateway, '1099', '2025', of.program);
  const me = gateway.as(of.caller);
  const removal = { holders: [{ customerId: primary }] };
  expect((await me.rest.post(`/accounts/${of.account}/owners/remove`, removal)).status).toBeLessThan(300);

  const { rows } = await gateway.sql.query('SELECT statement_id FROM statement WHERE account_id = $1', [of.account]);
  const form = { accountId: of.account, statementId: rows[0]?.statement_id, interest: 20, currency: 'USD' };
  for (const list of ['FORMS', 'POST']) {
    const { body } = await me.rest.get(`/tax-years/2025/payees?list=${list}`);
    expect(body.payees).toEqual([{ customerId: primary, taxStatus: '', taxStatusOn: '', ...form, reason: '' }]);
  }

  const query = `{ taxYear(taxYear: 2025) { payees(filter: { list: FORMS }) { nodes { customer { customerId } interest } } } }`;
  const { data } = await me.graphql(query);
  expect(data.taxYear.payees.nodes).toEqual([{ customer: { customerId: primary }, interest: '20.00' }]);
});
