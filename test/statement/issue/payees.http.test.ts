import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { USUAL_SCOPES, startTestGateway, type TestGateway } from '../../support/gateway.js';
import { digits, PROGRAM, type GivenAccount } from '../../support/given.js';
import { formsOf, issue, leftOutOf, only, post, type Posting } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const interest = (amount: string, at = '2024-03-01'): Posting => ({ at, amount, type: 'INTEREST' });
const withheld = (amount: string): Posting => ({ at: '2024-03-01', amount, type: 'FEDERALTAXWITHHELD' });

/** A customer over the API, as operators create one. */
async function customer(program: string, taxId = `123${digits(6)}`, changes: object = {}): Promise<string> {
  const me = gateway.as(await gateway.caller({ program, scopes: USUAL_SCOPES }));
  const address = { line1: '1 Elm Street', city: 'Springfield', state: 'IL', postalCode: '62704', country: 'US' };
  const body = { name: { first: 'Ada', last: 'Payee' }, addresses: [{ ...address, type: 'HOME' }], ...changes };
  const { status, body: created } = await me.rest.post('/customers', { taxId, taxIdCountry: 'US', ...body });
  expect(status).toBe(201);
  return created.customerId;
}

async function paid(program: string, owner: string, ...postings: readonly Posting[]) {
  const account = await gateway.given.account({ program, owners: [owner] });
  await post(gateway, account, [{ at: '2024-01-01', amount: '1000.00' }, ...postings]);
  return account;
}

async function lastForm(account: string) {
  return (await formsOf(gateway, account)).at(-1)?.content;
}

describe('the threshold of 10.00 is one of the payee', () => {
  test('two accounts of one primary owner are both reportable with 6.00 each, and one with 9.99 is not', async () => {
    const program = gateway.given.program();
    const [one, other] = [await customer(program), await customer(program)];
    const accounts = [await paid(program, one, interest('6.00')), await paid(program, one, interest('6.00'))];
    const alone = await paid(program, other, interest('9.99'));
    await issue(gateway, '1099', '2024', program);
    for (const { account } of accounts) {
      expect(await lastForm(account)).toMatchObject({ boxes: { 1: '6.00' }, irsReportable: true });
    }
    expect(await lastForm(alone.account)).toMatchObject({ irsReportable: false });
  });

  test.each([
    ['has a tax id', {}],
    ['has none', { taxId: null, taxIdCountry: null }],
  ])('tax that was withheld in one account makes all of a person who %s reportable', async (_what, changes) => {
    const program = gateway.given.program();
    const [one, other] = [await customer(program), await customer(program)];
    const owner = await customer(program, undefined, changes);
    const accounts = [
      await paid(program, owner, interest('4.00')),
      await paid(program, owner, interest('5.00'), withheld('-1.20')),
    ];
    const others = [await paid(program, one, interest('4.00')), await paid(program, other, interest('5.00'))];
    await issue(gateway, '1099', '2024', program, true);
    const forms = await Promise.all(accounts.map(({ account }) => lastForm(account)));
    expect(forms).toMatchObject([
      { boxes: { 1: '4.00' }, irsReportable: true },
      { boxes: { 1: '5.00', 4: '1.20' }, irsReportable: true },
    ]);
    for (const { account } of others) expect(await lastForm(account)).toMatchObject({ irsReportable: false });

    // What is withheld later makes a form that was issued before reportable.
    await post(gateway, others[0] as GivenAccount, [withheld('-0.01')]);
    const more = await paid(program, one, interest('0.50'));
    await issue(gateway, '1099', '2024', program, true);
    expect(await lastForm(more.account)).toMatchObject({ irsReportable: true });
  });

  test('two customer records with one tax id are one payee, of this program alone', async () => {
    const taxId = `123${digits(6)}`;
    const [program, elsewhere] = [gateway.given.program(), gateway.given.program()];
    const accounts = [
      await paid(program, await customer(program, taxId), interest('4.00')),
      await paid(program, await customer(program, `${taxId.slice(0, 3)}-${taxId.slice(3)}`), interest('6.00')),
    ];
    const stranger = await paid(elsewhere, await customer(elsewhere, taxId), interest('9.00'));
    await issue(gateway, '1099', '2024', program);
    await issue(gateway, '1099', '2024', elsewhere);
    for (const { account } of accounts) expect(await lastForm(account)).toMatchObject({ irsReportable: true });
    expect(await lastForm(stranger.account)).toMatchObject({ irsReportable: false });
  });

  test('a customer whose record is older than the digest of its tax id counts as well', async () => {
    const program = gateway.given.program();
    const owner = await customer(program);
    const accounts = [await paid(program, owner, interest('6.00')), await paid(program, owner, interest('6.00'))];
    await gateway.sql.query('UPDATE customer SET tax_id_digest = NULL WHERE customer_id = $1', [owner]);
    await issue(gateway, '1099', '2024', program);
    for (const { account } of accounts) expect(await lastForm(account)).toMatchObject({ irsReportable: true });
  });

  test('only accounts count whose primary owner the payee is, in dollars', async () => {
    const program = gateway.given.program();
    const [one, other] = [await customer(program), await customer(program)];
    const own = await paid(program, one, interest('6.00'));
    const joint = await gateway.given.account({ program, owners: [other, one] });
    await post(gateway, joint, [interest('6.00')]);
    const foreign = await gateway.given.account({ program, owners: [one], currency: 'EUR' });
    await post(gateway, foreign, [interest('6.00')]);
    await issue(gateway, '1099', '2024', program);
    expect(await lastForm(own.account)).toMatchObject({ irsReportable: false });
  });

  test('a form gets a copy that says that it is filed once another account of the payee is paid', async () => {
    const program = gateway.given.program();
    const owner = await customer(program);
    const first = await paid(program, owner, interest('6.00'));
    await issue(gateway, '1099', '2024', program);
    await paid(program, owner, interest('6.00'));
    expect(await issue(gateway, '1099', '2024', program)).toMatchObject({ issued: 1, corrected: 1 });
    expect(await lastForm(first.account)).toMatchObject({
      boxes: { 1: '6.00' },
      irsReportable: true,
      correctionKind: 'FILING',
    });
    expect(await issue(gateway, '1099', '2024', program)).toMatchObject({ issued: 0, corrected: 0 });
  });
});

describe('no box is ever negative', () => {
  test('an account with more taken back than paid gets no form, and is listed with the reason', async () => {
    const program = gateway.given.program();
    const { account, caller } = await paid(program, await customer(program), interest('2.00'), interest('-5.00'));
    const { runId, issued } = await issue(gateway, '1099', '2024', program);
    expect(issued).toBe(0);
    expect(await leftOutOf(gateway, caller, runId)).toEqual([{ accountId: account, reasons: ['TAKEN_BACK'] }]);
  });

  test('tax that was withheld is on a form with interest of zero, which is filed', async () => {
    const program = gateway.given.program();
    const { account } = await paid(program, await customer(program), interest('-5.00'), withheld('-1.20'));
    await issue(gateway, '1099', '2024', program);
    const { content } = only(await formsOf(gateway, account));
    expect(content).toMatchObject({ boxes: { 1: '0.00', 4: '1.20' }, irsReportable: true });
  });

  test('a penalty alone is on a form, which nobody has to file', async () => {
    const program = gateway.given.program();
    const penalty = { at: '2024-03-01', amount: '-7.00', type: 'EARLYWITHDRAWALPENALTY' };
    const { account } = await paid(program, await customer(program), penalty);
    await issue(gateway, '1099', '2024', program);
    expect(await lastForm(account)).toMatchObject({ boxes: { 1: '0.00', 2: '7.00' }, irsReportable: false });
  });

  test('a filed form whose true amount is below the threshold is taken back to zero, and stays reportable', async () => {
    const program = gateway.given.program();
    const of = await paid(program, await customer(program), interest('20.00'));
    await issue(gateway, '1099', '2024', program);
    await post(gateway, of, [interest('-14.00', '2024-12-30')]);
    expect(await issue(gateway, '1099', '2024', program)).toMatchObject({ corrected: 1 });
    expect(await lastForm(of.account)).toMatchObject({
      boxes: { 1: '6.00' },
      irsReportable: true,
      reportedAsZero: true,
      correctionKind: 'AMOUNT',
    });
    await post(gateway, of, [interest('5.00', '2024-12-31')]);
    await issue(gateway, '1099', '2024', program);
    expect(await lastForm(of.account)).toMatchObject({
      boxes: { 1: '11.00' },
      irsReportable: true,
      reportedAsZero: false,
    });
  });
});

describe('what the payer knows of the payee', () => {
  const foreign = (taxStatusOn: string) => ({ taxStatus: 'FOREIGN', taxStatusOn });

  test('a foreign payee gets no form, not even an incomplete one, from the day of the certificate', async () => {
    const program = gateway.given.program();
    const before = await paid(program, await customer(program, undefined, foreign('2024-12-31')), interest('20.00'));
    const after = await paid(program, await customer(program, undefined, foreign('2025-01-01')), interest('20.00'));
    const { runId, issued } = await issue(gateway, '1099', '2024', program, true);
    expect(issued).toBe(1);
    expect(await lastForm(after.account)).toMatchObject({ irsReportable: true });
    expect(await leftOutOf(gateway, before.caller, runId)).toEqual([
      { accountId: before.account, reasons: ['FOREIGN_PAYEE'] },
    ]);
  });

  test('the form of somebody who turns out to be foreign is corrected to zero', async () => {
    const program = gateway.given.program();
    const owner = await customer(program);
    const { account, caller } = await paid(program, owner, interest('20.00'));
    await issue(gateway, '1099', '2024', program);
    await gateway.as(caller).rest.patch(`/customers/${owner}`, foreign('2024-02-01'));
    await issue(gateway, '1099', '2024', program);
    expect(await lastForm(account)).toMatchObject({ boxes: { 1: '0.00' }, irsReportable: true, reportedAsZero: true });
  });

  test('is alike over REST and GraphQL, and is cleared by a patch; a status needs its day', async () => {
    const program = gateway.given.program();
    const me = gateway.as(await gateway.caller({ program, scopes: USUAL_SCOPES }));
    const facts = {
      taxStatus: 'UNCERTIFIED',
      taxStatusOn: '2026-02-03',
      secondTinNoticeOn: '2026-10-01',
      electronicTaxFormsOn: '2026-02-04',
    };
    const id = await customer(program, undefined, facts);
    const query = `query ($id: ID!) { customer(customerId: $id) { ${Object.keys(facts).join(' ')} } }`;
    expect((await me.graphql(query, { id })).data.customer).toEqual(facts);
    expect((await me.rest.get(`/customers/${id}`)).body).toMatchObject(facts);
    const alone = await me.rest.post('/customers', { name: { last: 'X' }, taxStatus: 'CERTIFIED' });
    expect(alone.status).toBe(422);
    const cleared = await me.rest.patch(`/customers/${id}`, { taxStatus: null, taxStatusOn: null });
    expect(cleared.body).toMatchObject({ taxStatus: '', taxStatusOn: '', electronicTaxFormsOn: '2026-02-04' });
  });
});

describe('the payer', () => {
  test('must have a telephone number (26 USC 6049(c)(1)(A))', async () => {
    const program = gateway.given.program();
    await paid(program, await customer(program), interest('20.00'));
    await gateway.given.programRecord(program, { payer: { ...PROGRAM.payer, telephone: '' } });
    await expect(issue(gateway, '1099', '2024', program)).rejects.toThrow('payer.telephone');
  });

  test('has its state in boxes 15 to 17; another state alone corrects no form', async () => {
    const program = gateway.given.program();
    const payer = { ...PROGRAM.payer, state: 'OR', stateTaxId: '1234567-8' };
    await gateway.given.programRecord(program, { payer });
    const state = { at: '2024-03-01', amount: '-0.50', type: 'STATETAXWITHHELD' };
    const { account } = await paid(program, await customer(program), interest('20.00'), state);
    await issue(gateway, '1099', '2024', program);
    expect(await lastForm(account)).toMatchObject({ boxes: { 1: '20.00', 15: 'OR', 16: '1234567-8', 17: '0.50' } });
    await gateway.given.programRecord(program, { payer: { ...payer, state: 'WA', stateTaxId: '9' } });
    expect(await issue(gateway, '1099', '2024', program)).toMatchObject({ corrected: 0 });
  });
});

test('a form that is read shows nothing of what is kept for the return alone', async () => {
  const program = gateway.given.program();
  const { account, caller } = await paid(program, await customer(program), interest('20.00'));
  await issue(gateway, '1099', '2024', program);
  const { statementId } = only(await formsOf(gateway, account));
  const { body } = await gateway.as(caller).rest.get(`/accounts/${account}/1099/${statementId}?format=json`);
  expect(body).toHaveProperty('reportedAsZero', false);
  for (const name of ['recipientTaxId', 'recipientPerson', 'recipientAddress', 'secondTinNotice']) {
    expect(body).not.toHaveProperty(name);
  }
});
