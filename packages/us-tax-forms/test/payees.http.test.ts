import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issue, post } from '../../../test/statement/issue/issuing.js';
import { TaxBank, YEAR, idOf, interest } from './bank.js';
import { USUAL_SCOPES, startTestGateway, type GraphqlAnswer, type TestGateway } from '../../../test/support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

test('backup withholding begins with payees without a tax id of the United States', async () => {
  const program = gateway.given.program();
  const me = gateway.as(await gateway.caller({ program, scopes: USUAL_SCOPES }));
  const customer = async (changes: object): Promise<string> => {
    const body = { name: { first: 'Ada', last: 'Payee' }, ...changes };
    return (await me.rest.post('/customers', body)).body.customerId;
  };
  const numbered = { taxId: '222222201', taxIdCountry: 'US' };
  const uncertified = { taxStatus: 'UNCERTIFIED', taxStatusOn: '2025-01-01' };
  const ids = {
    numberless: await customer({}),
    foreignNumber: await customer({ taxId: 'DE123456789', taxIdCountry: 'DE' }),
    uncertified: await customer({ ...numbered, ...uncertified }),
    uncertifiedNumberless: await customer(uncertified),
    certified: await customer(numbered),
    foreign: await customer({ taxStatus: 'FOREIGN', taxStatusOn: '2025-01-01' }),
    unpaid: await customer({}),
    noOwner: await customer({}),
    coOwner: await customer({}),
  };
  for (const [name, id] of Object.entries(ids)) {
    if (name === 'noOwner' || name === 'coOwner') continue;
    const owners = name === 'certified' ? [id, ids.coOwner] : [id];
    const account = await gateway.given.account({ program, owners, interestBearing: false });
    if (name !== 'unpaid') await post(gateway, account, [{ at: '2025-03-01', amount: '0.02', type: 'INTEREST' }]);
  }
  // Interest is not paid yet, and will be.
  await gateway.given.account({ program, owners: [ids.unpaid], interestBearing: true, openedOn: '2026-01-05' });

  const listed = async (year: number) => {
    const { body } = await me.rest.get(`/tax-years/${year}/payees?list=BACKUP_WITHHOLDING`);
    return body.payees.map(
      ({ customerId, reason }: { customerId: string; reason: string }) => `${customerId} ${reason}`,
    );
  };
  const without = [ids.numberless, ids.foreignNumber, ids.uncertifiedNumberless].toSorted();
  const told = (some: readonly string[]) => [...some.map(id => `${id} UNFILABLE_TAX_ID`), `${ids.uncertified} `];
  expect(await listed(2025)).toEqual(told(without));
  expect(await listed(2026)).toEqual(told([ids.unpaid, ids.uncertifiedNumberless].toSorted()));
  expect(await listed(2024)).toEqual([]);

  const query = `query ($after: String) { taxYear(taxYear: 2025) { payees(first: 1, after: $after, filter: { list: BACKUP_WITHHOLDING }) {
    totalCount pageInfo { endCursor hasNextPage } nodes { customer { customerId } } } } }`;
  const paged: string[] = [];
  for (let after: string | null = null; ;) {
    const { data } = await me.graphql(query, { after });
    const { payees } = data.taxYear as { payees: GraphqlAnswer['data'] };
    paged.push(payees.nodes[0].customer.customerId);
    expect(payees.totalCount).toBe(4);
    if (!payees.pageInfo.hasNextPage) break;
    after = payees.pageInfo.endCursor;
  }
  expect(paged).toEqual([...without, ids.uncertified]);

  const { steps } = (await me.rest.get('/tax-years/2025')).body;
  expect(steps.find(({ code }: { code: string }) => code === 'WITHHOLD')).toMatchObject({ count: 4 });
});

test('corrections are due while something is left to file, and a new address is not', async () => {
  const bank = await TaxBank.open(gateway, [
    { key: '1', last: 'Moves', taxId: '222222201', accounts: [[interest('20.00')]] },
  ]);
  const me = gateway.as(bank.caller);
  const due = async () => {
    const { payees } = (await me.rest.get(`/tax-years/${YEAR}/payees?list=CORRECTIONS`)).body;
    const { steps } = (await me.rest.get(`/tax-years/${YEAR}`)).body;
    return [payees.length, steps.some(({ code }: { code: string }) => code === 'CORRECT')];
  };
  const fileAll = async () => {
    const { filings, files } = await bank.file();
    for (const xml of files.values()) await bank.answer(idOf(xml), 'Accepted', 'R-1');
    return filings.map(({ kind }) => kind);
  };
  await bank.issue();
  expect(await fileAll()).toEqual(['ORIGINAL']);
  expect(await due()).toEqual([0, false]);

  const address = { line1: '2 Elm Street', city: 'Springfield', state: 'IL', postalCode: '62704', country: 'US' };
  const moved = { addresses: [{ ...address, type: 'HOME' }] };
  expect((await me.rest.patch(`/customers/${bank.customers.get('1')}`, moved)).status).toBe(200);
  await bank.issue();
  const forms = `SELECT correction_kind FROM statement WHERE account_id = $1 ORDER BY issued_at`;
  expect((await gateway.sql.query(forms, [bank.accountId('1')])).rows).toEqual([
    { correction_kind: null },
    { correction_kind: 'ADDRESS' },
  ]);
  expect([await due(), await fileAll()]).toEqual([[0, false], []]);

  await bank.postTo('1', 1, [interest('1.00')]);
  await bank.issue();
  expect(await due()).toEqual([1, true]);
  expect([await fileAll(), await due()]).toEqual([['CORRECTION'], [0, false]]);
}, 120_000);

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
