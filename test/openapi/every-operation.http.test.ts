import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../src/shared/caller.js';
import { otherPaths } from '../security/owasp-operations.js';
import { issue, post } from '../statement/issue/issuing.js';
import { customerRecord } from '../cli/importing.js';
import { newCard } from '../support/card.js';
import { isOtherwiseDescribed } from '../support/described-paths.js';
import { newHold } from '../hold/support/holds.js';
import { transferOf } from '../transfer/support/transfers.js';
import { entry, post as postEntries } from '../transaction/support/ledger.js';
import { keyed, scopesWithout, startTestGateway, unique, type Answer, type TestGateway } from '../support/gateway.js';
import type { Contract } from '../support/contract.js';
import { newBeneficiary } from '../support/given.js';
import { contractServed, servedBy } from '../support/served.js';
import { pngOf } from '../support/png.js';
import { pdfOf } from '../support/statement.js';
import { TRANSMITTER } from '../../packages/us-tax-forms/test/bank.js';
import { until } from '../support/until.js';

let gateway: TestGateway;
let contract: Contract;
beforeAll(async () => {
  gateway = await startTestGateway({});
  contract = await contractServed(gateway);
});
afterAll(() => gateway.stop());

/** Two runs, of which the last one left out an account. */
async function givenRun(): Promise<{ caller: string; runId: string }> {
  const program = gateway.given.program();
  const { customer } = await gateway.given.customer({ program, taxId: null, addresses: [] });
  const of = await gateway.given.account({ program, owners: [customer] });
  await post(gateway, of, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
  await issue(gateway, 'close', '2024-03', program);
  const { runId } = await issue(gateway, '1099', '2024', program);
  return { caller: of.caller, runId };
}

/** One record, and that it is known already. */
async function read(caller: string | ReturnType<TestGateway['as']>['rest'], path: string): Promise<readonly Answer[]> {
  const rest = typeof caller === 'string' ? gateway.as(caller).rest : caller;
  const first = await rest.get(path);
  return [first, await rest.get(path, { 'if-none-match': first.headers.etag })];
}

/**
 * Each operation in every way that succeeds. The answers themselves are held against the document wherever a test asks.
 */
const CALLS: Record<string, () => Promise<readonly Answer[]>> = {
  openAccount: async () => {
    const { rest, input } = await newAccount();
    const { overdraftLimit: _, openedOn: __, ...least } = input;
    return [
      await rest.post('/accounts', input),
      await rest.post('/accounts', { ...least, accountId: `${input.accountId}-2` }),
    ];
  },
  getAccount: async () => {
    const { account, caller } = await gateway.given.account({ currency: 'JPY' });
    return read(caller, `/accounts/${account}`);
  },
  updateAccount: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const path = `/accounts/${account}`;
    return [
      await rest.patch(path, { accountType: 'SAVINGS', interestBearing: true }),
      await rest.patch(path, { overdraftLimit: 250.5 }, { 'content-type': 'application/merge-patch+json' }),
      await waiting(of => of.rest.patch(`/accounts/${of.account}`, { timeZone: 'Pacific/Auckland' }, of.key)),
    ];
  },
  restrictAccount: async () => {
    const { account, caller } = await gateway.given.account();
    return [await gateway.as(caller).rest.post(`/accounts/${account}/restrict`, { reason: 'Court order' })];
  },
  unrestrictAccount: async () => {
    const { account, caller } = await gateway.given.account({ status: 'RESTRICTED' });
    return [await gateway.as(caller).rest.post(`/accounts/${account}/unrestrict`, {})];
  },
  closeAccount: async () => {
    const { account, caller } = await gateway.given.account();
    const close = { reason: 'At the wish of the owner' };
    return [
      await gateway.as(caller).rest.post(`/accounts/${account}/close`, close),
      await waiting(of => of.rest.post(`/accounts/${of.account}/close`, close, of.key)),
    ];
  },
  createCustomer: async () => {
    const { rest } = await operator();
    const { name, addresses, dateOfBirth } = newBeneficiary();
    return [
      await rest.post('/customers', { name }),
      await rest.post('/customers', { name, addresses, dateOfBirth, taxId: '900-12-1025', taxIdCountry: 'US' }),
    ];
  },
  eraseCustomer: async () => {
    const { rest, program } = await operator();
    const { customer } = await gateway.given.customer({ program });
    const reason = 'Request 2026-118 of the customer';
    return [
      await rest.post(`/customers/${customer}/erase`, { reason }),
      await waiting(async of => {
        const other = await gateway.given.customer({ program: of.program });
        return of.rest.post(`/customers/${other.customer}/erase`, { reason }, of.key);
      }),
    ];
  },
  listCustomers: async () => {
    const { rest } = await operator();
    for (const last of ['One', 'Other']) await rest.post('/customers', { name: { last } });
    return [await rest.get('/customers?limit=1'), await rest.get('/customers')];
  },
  listNotes: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    for (const text of ['One', 'Other']) await rest.post('/notes', { accountId: account, text });
    return [await rest.get(`/notes?accountId=${account}&limit=1`), await rest.get(`/notes?accountId=${account}`)];
  },
  addNote: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const text = 'Called back.';
    return [
      await rest.post('/notes', { accountId: account, text }),
      await rest.post('/notes', { customerId: owners[0], text }),
    ];
  },
  getCustomer: async () => {
    const { program, customer } = await gateway.given.customer();
    return read(await gateway.caller({ program }), `/customers/${customer}`);
  },
  updateCustomer: async () => {
    const { program, customer } = await gateway.given.customer();
    const { rest } = gateway.as(await gateway.caller({ program }));
    const path = `/customers/${customer}`;
    return [
      await rest.patch(path, { name: { middle: 'R' }, contact: { email: [] } }),
      await rest.patch(path, { dateOfBirth: null }, { 'content-type': 'application/merge-patch+json' }),
    ];
  },
  listBeneficiaries: async () => {
    const of = await gateway.given.account();
    await gateway.given.beneficiaries(of, 3);
    const { rest } = gateway.as(of.caller);
    const path = `/accounts/${of.account}/beneficiaries`;
    return [await rest.get(path), await rest.get(`${path}?limit=1&offSet=1`), await rest.get(`${path}?offset=3`)];
  },
  addBeneficiary: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const add = () =>
      rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary({ taxId: '900121025' }), {
        'idempotency-key': 'the-same',
      });
    return [await add(), await add()];
  },
  getBeneficiary: async () => {
    const { account, beneficiary, caller } = await gateway.given.beneficiary();
    return read(caller, `/accounts/${account}/beneficiaries/${beneficiary}`);
  },
  updateBeneficiary: async () => {
    const { account, beneficiary, caller } = await gateway.given.beneficiary();
    const { rest } = gateway.as(caller);
    const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
    return [
      await rest.patch(path, { name: { middle: null }, dateOfBirth: null, taxId: null, taxIdType: null }),
      await rest.patch(path, { addresses: [] }, { 'content-type': 'application/merge-patch+json' }),
    ];
  },
  deleteBeneficiary: async () => {
    const { account, beneficiary, caller } = await gateway.given.beneficiary();
    return [await gateway.as(caller).rest.delete(`/accounts/${account}/beneficiaries/${beneficiary}`)];
  },
  addOwners: async () => {
    const of = await gateway.given.account();
    const { customer } = await gateway.given.customer({ program: of.program });
    const bare = await gateway.given.customer({
      program: of.program,
      contact: { email: [], telephones: [{ type: 'CELL', country: null, number: '1' }] },
    });
    const holders = [customer, bare.customer, randomUUID()].map(customerId => ({ customerId }));
    return [
      await gateway.as(of.caller).rest.post(`/accounts/${of.account}/owners/add`, { holders }),
      await waiting(one =>
        one.rest.post(`/accounts/${one.account}/owners/add`, { holders: [{ customerId: one.customer }] }, one.key),
      ),
    ];
  },
  removeOwners: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const holders = [...owners, randomUUID()].map(customerId => ({ customerId }));
    return [
      await gateway.as(caller).rest.post(`/accounts/${account}/owners/remove`, { holders }),
      await waiting(of =>
        of.rest.post(`/accounts/${of.account}/owners/remove`, { holders: [{ customerId: of.owners[0] }] }, of.key),
      ),
    ];
  },
  listTransactions: async () => {
    const { account, caller } = await gateway.given.account();
    const input = [1, 2, 3].map(number => ({
      transactionId: `t${number}`,
      amount: '1.00',
      direction: 'CREDIT',
      category: 'ACH',
      status: 'POSTED',
      transactionType: 'DIRECTDEPOSIT',
      transactedAt: '2026-05-01T12:00:00Z',
      postedAt: '2026-05-01T12:00:00Z',
      lineItems: [
        {
          description: 'One',
          imageIds: ['i'],
        },
      ],
    }));
    const { rest } = gateway.as(caller);
    await gateway.as(caller).graphql(
      `mutation ($account: ID!, $input: [TransactionInput!]!) {
        postAccountTransactions(input: { accountId: $account, transactions: $input }) { transactions { __typename } } }`,
      { account, input },
    );
    const path = `/accounts/${account}/transactions`;
    const filters = 'startTime=2026-05-01&endTime=2026-05-31T00:00:00Z&category=ACH,CARD&category=WIRE&minAmount=1.00';
    const first = await rest.get(`${path}?limit=2&${filters}`);
    const days = 'startTime=2026-05-01&endTime=2026-05-31';
    return [
      first,
      await rest.get(first.body.links.next.href),
      await rest.get(`${path}?search=nothing&format=json`),
      await rest.get(`${path}?${days}&format=csv&bom=true`),
      await rest.get(`${path}?${days}&format=camt.053`),
      await rest.get(`${path}?${days}&format=ofx`),
      await rest.get(`${path}?${days}&format=bai2`),
      await rest.get(`${path}?${days}&format=pdf`),
    ];
  },
  exportProgramHistory: async () => {
    const { account, rest } = await operator();
    await rest.post('/simulate/wire', { accountId: account });
    return [await rest.get('/transactions?format=csv&bom=true&status=POSTED')];
  },
  reverseTransaction: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const [one] = await postEntries(gateway, { account, caller }, [entry()]);
    const path = `/accounts/${account}/transactions/${one?.transactionId}/reverse`;
    const body = { reason: 'Charged twice' };
    const waits = await waiting(async of => {
      const [other] = await postEntries(gateway, of, [entry()]);
      return of.rest.post(`/accounts/${of.account}/transactions/${other?.transactionId}/reverse`, body, of.key);
    });
    return [await rest.post(`${path}?dryRun=true`, body), await rest.post(path, body), waits];
  },
  listBalances: async () => {
    const { account, caller } = await gateway.given.account();
    return [await gateway.as(caller).rest.get(`/accounts/${account}/balances?from=2026-02-27&to=2026-03-01`)];
  },
  makeTransfer: async () => {
    const { answer, rest, input } = await madeTransfer();
    const waits = await waiting(async of => {
      const to = await gateway.given.account({ program: of.program });
      const large = { ...transferOf({ from: { account: of.account }, to }), amount: 400 };
      return of.rest.post('/transfers', large, of.key);
    });
    return [answer, await rest.post('/transfers?dryRun=true', { ...input, transferId: unique('tr') }), waits];
  },
  makeTransfers: async () => {
    const { rest, input } = await madeTransfer();
    const refused = { ...input, transferId: unique('tr'), amount: 0 };
    return [await rest.post('/transfers/batch', { transfers: [{ ...input, transferId: unique('tr') }, refused] })];
  },
  getTransferLimits: async () => {
    const { rest, input } = await madeTransfer();
    return read(rest, `/accounts/${input.fromAccountId}/transfer-limits`);
  },
  setTransferLimits: async () => {
    const { rest, input } = await madeTransfer();
    const patch = { perTransfer: 500, perDay: 1000, per30Days: 5000, transfersPerDay: 9, cardHoldsPerDay: 100 };
    const path = (account: string) => `/accounts/${account}/transfer-limits`;
    return [
      await rest.patch(path(input.fromAccountId), patch),
      await waiting(of => of.rest.patch(path(of.account), patch, of.key)),
    ];
  },
  getTransfer: async () => {
    const { rest, input } = await madeTransfer();
    return [await rest.get(`/transfers/${input.transferId}`)];
  },
  reverseTransfer: async () => {
    const { rest, input } = await madeTransfer();
    const waits = await waiting(async of => {
      const to = await gateway.given.account({ program: of.program });
      const other = { ...transferOf({ from: { account: of.account }, to }), amount: 250 };
      await of.rest.post('/transfers', other);
      return of.rest.post(`/transfers/${other.transferId}/reverse`, { reason: 'Because' }, of.key);
    });
    return [await rest.post(`/transfers/${input.transferId}/reverse`, { reason: 'Because' }), waits];
  },
  listTransfers: async () => {
    const { rest, input } = await madeTransfer();
    const path = `/accounts/${input.fromAccountId}/transfers`;
    return [await rest.get(path), await rest.get(`${path}?offSet=0&limit=1`)];
  },
  listProgramTransfers: async () => {
    const { rest } = await madeTransfer();
    return [await rest.get('/transfers'), await rest.get('/transfers?statuses=MADE&limit=1')];
  },
  listHolds: async () => {
    const { path, rest } = await placedHold();
    await rest.post(path.slice(0, path.lastIndexOf('/')), { ...newHold(), amount: 1.5 });
    const first = await rest.get(`${path.slice(0, path.lastIndexOf('/'))}?limit=1&status=ACTIVE`);
    return [first, await rest.get(first.body.links.next.href)];
  },
  placeHold: async () => {
    const { answer, path, rest } = await placedHold();
    const { reference: _, ...least } = newHold() as ReturnType<typeof newHold> & { reference: string };
    return [
      answer,
      await rest.post(`${path.slice(0, path.lastIndexOf('/'))}?dryRun=true`, { ...least, amount: 1 }),
      await waiting(of => of.agent.post(`/accounts/${of.account}/holds`, { ...least, amount: 1 }, of.stated)),
    ];
  },
  getHold: async () => {
    const { path, rest } = await placedHold();
    return [await rest.get(path)];
  },
  captureHold: async () => {
    const { path, rest } = await placedHold();
    return [
      await rest.post(`${path}/capture`, { amount: 12.5, keepRest: true }),
      await rest.post(`${path}/capture`, {}),
    ];
  },
  releaseHold: async () => {
    const { path, rest } = await placedHold();
    return [
      await rest.post(`${path}/release`),
      await waiting(async of => {
        const hold = { ...newHold(), amount: 1 };
        await of.rest.post(`/accounts/${of.account}/holds`, hold);
        return of.agent.post(`/accounts/${of.account}/holds/${hold.holdId}/release`, {}, of.stated);
      }),
    ];
  },
  listStatements: async () => {
    const of = await gateway.given.statement();
    await gateway.given.statement({ of, documentType: 'TAX_1099' });
    const { rest } = gateway.as(of.caller);
    const path = `/accounts/${of.account}/statements`;
    return [await rest.get(`${path}?limit=1`), await rest.get(`${path}?documentType=1099&offSet=1`)];
  },
  addStatement: async () => {
    const { account, caller } = await gateway.given.account();
    const path = `/accounts/${account}/statements?statementDate=2026-05-31&description=May`;
    const headers = { 'content-type': 'application/pdf' };
    return [await gateway.as(caller).raw({ method: 'POST', path, headers, body: pdfOf() })];
  },
  downloadStatement: async () => {
    const [statement, form, partners] = [
      await gateway.given.statement(),
      await gateway.given.statement({ documentType: 'TAX_1099' }),
      await gateway.given.statement({ source: 'PARTNER' }),
    ];
    const get = ({ caller, path }: typeof statement, headers: Record<string, string> = {}) =>
      gateway.as(caller).rest.get(path, headers);
    const pdf = await get(statement);
    return [
      pdf,
      await get(statement, { accept: 'text/csv' }),
      await get(statement, { accept: 'application/json' }),
      await get(statement, { accept: 'application/x-camt.053+xml' }),
      await get(statement, { accept: 'application/x-ofx' }),
      await get({ ...statement, path: `${statement.path}?format=bai2` }),
      await get(form),
      await get(form, { accept: 'application/json' }),
      await get(partners),
      await get(statement, { range: 'bytes=0-9' }),
      await get(statement, { 'if-none-match': String(pdf.headers.etag) }),
    ];
  },
  listStatementRuns: async () => {
    const { caller } = await givenRun();
    const { rest } = gateway.as(caller);
    return [
      await rest.get('/statement-runs?limit=1'),
      await rest.get('/statement-runs?documentType=TAX_1099&period=2024'),
    ];
  },
  getStatementRun: async () => {
    const { caller, runId } = await givenRun();
    return [await gateway.as(caller).rest.get(`/statement-runs/${runId}`)];
  },
  listTaxFilings: async () => {
    const { rest, program } = await operator();
    for (let index = 0; index < 2; index++) await gateway.given.taxFiling(program);
    return [await rest.get('/tax-filings?limit=1'), await rest.get('/tax-filings?taxYear=2026')];
  },
  getTaxFiling: async () => {
    const { rest, program } = await operator();
    return [await rest.get(`/tax-filings/${await gateway.given.taxFiling(program)}`)];
  },
  startTaxFiling: async () => {
    const order = { taxYear: 2026, transmitter: TRANSMITTER };
    const { rest, program } = await operator();
    await gateway.given.programRecord(program);
    return [await rest.post('/tax-filings', order), await waiting(of => of.rest.post('/tax-filings', order, of.key))];
  },
  acknowledgeTaxFiling: async () => {
    const { program, caller } = await gateway.given.account();
    const filingId = await gateway.given.taxFiling(program);
    const body = `<ack><UniqueTransmissionId>${filingId}:IRIS:ABC12::A</UniqueTransmissionId><TransmissionStatusCd>Accepted</TransmissionStatusCd></ack>`;
    const headers = { 'content-type': 'application/xml' };
    return [await gateway.as(caller).raw({ method: 'POST', path: '/tax-answers', headers, body })];
  },
  markTaxFiling: async () => {
    const { rest, program } = await operator();
    const filingId = await gateway.given.taxFiling(program);
    return [await rest.post(`/tax-filings/${filingId}/outcome`, { outcome: 'ACCEPTED', receiptId: 'R-2' })];
  },
  listTaxFiles: async () => {
    const { rest, program } = await operator();
    return [await rest.get(`/tax-filings/${await gateway.given.taxFiling(program)}/files`)];
  },
  downloadTaxFile: async () => {
    const { rest, program } = await operator();
    // Its forms are none of this gateway's, so it has no returns.
    const fetched = async (format: string) => {
      const filingId = await gateway.given.taxFiling(program, { returns: 0, format });
      return rest.get(`/tax-filings/${filingId}/files/1`);
    };
    return [await fetched('XML'), await fetched('CSV')];
  },
  listTaxReturns: async () => {
    const { rest, program } = await operator();
    const filingId = await gateway.given.taxFiling(program, { returns: 2 });
    return [await rest.get(`/tax-filings/${filingId}/returns?limit=1&state=ACCEPTED`)];
  },
  getTaxYear: async () => {
    const { rest, program } = await operator();
    await gateway.given.taxFiling(program);
    return [await rest.get('/tax-years/2026')];
  },
  listTaxPayees: async () => {
    const { rest } = await operator();
    const facts = { taxStatus: 'FOREIGN', taxStatusOn: '2026-01-01' };
    for (const last of ['One', 'Other']) await rest.post('/customers', { name: { last }, ...facts });
    return [await rest.get('/tax-years/2026/payees?list=FORM_1042_S&limit=1')];
  },
  startStatementRun: async () => {
    const { caller } = await givenRun();
    const { rest } = gateway.as(caller);
    const order = { documentType: 'TAX_1099', period: '2024' };
    return [
      await rest.post('/statement-runs?dryRun=true', order),
      await rest.post('/statement-runs', order),
      await waiting(of => of.rest.post('/statement-runs', order, of.key)),
    ];
  },
  stopStatementRun: async () => {
    const { caller, runId } = await givenRun();
    // A run with a job that never runs is a run that goes on.
    await gateway.sql.query(
      `SELECT graphile_worker.add_job('nothing', job_key => $1 || ':0', run_at => now() + interval '1 day')`,
      [runId],
    );
    return [await gateway.as(caller).rest.post(`/statement-runs/${runId}/stop`, { reason: 'Wrong letterhead' })];
  },
  rerunStatementRun: async () => {
    const { caller, runId } = await givenRun();
    return [
      await gateway.as(caller).rest.post(`/statement-runs/${runId}/rerun`),
      await waiting(async of => {
        const { runId: left } = await issue(gateway, '1099', '2024', of.program);
        return of.rest.post(`/statement-runs/${left}/rerun`, undefined, of.key);
      }),
    ];
  },
  importPrograms: async () => {
    const program = gateway.given.program();
    const { rest } = gateway.as(await gateway.caller({ program }));
    const lines = JSON.stringify({ programId: program, name: 'Cedar' });
    return [await rest.post('/imports/programs', { lines }), await rest.post('/imports/programs', { lines })];
  },
  importCustomers: async () => {
    const { rest } = await operator();
    const lines = `${JSON.stringify(customerRecord())}\n\n{}\n`;
    return [
      await rest.post('/imports/customers?dryRun=true', { lines, firstLine: 41 }),
      await rest.post('/imports/customers', { lines }),
    ];
  },
  importAccounts: async () => [await (await operator()).rest.post('/imports/accounts', { lines: '{}' })],
  importBeneficiaries: async () => [await (await operator()).rest.post('/imports/beneficiaries', { lines: '[]' })],
  importTransfers: async () => [await (await operator()).rest.post('/imports/transfers', { lines: '7' })],
  importTransactions: async () => [await (await operator()).rest.post('/imports/transactions', { lines: '7' })],
  listLeftOutAccounts: async () => {
    const { caller, runId } = await givenRun();
    return [await gateway.as(caller).rest.get(`/statement-runs/${runId}/left-out?limit=1`)];
  },
  createCard: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const { cardId: _, pin: __, ...least } = newCard(account, owners[0] as string);
    return [
      await rest.post('/cards/v1/cards', newCard(account, owners[0] as string)),
      await rest.post('/cards/v1/cards', { ...least, type: 'Virtual', status: 'Frozen' }),
    ];
  },
  getCard: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const { headers } = await rest.post('/cards/v1/cards', newCard(account, owners[0] as string));
    return read(caller, headers.location as string);
  },
  getToken: async () => [
    await gateway.as(null).raw({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret',
    }),
  ],
  getProgram: async () => {
    const [all, least] = [gateway.given.program(), gateway.given.program()];
    await gateway.given.programRecord(all, { logo: { png: pngOf().toString('base64') }, clients: ['core'] });
    await gateway.given.programRecord(least, { letterhead: null, payer: null, errorResolution: null });
    const get = async (program: string) => read(await gateway.caller({ program }), '/program');
    return [...(await get(all)), ...(await get(least))];
  },
  followEvents: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    await rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary());
    await gateway.feedReady();
    const first = await rest.get(`/events?accountId=${account}&types=beneficiary.added&limit=1`);
    return [first, await rest.get(first.body.links.next.href)];
  },
  listApprovals: async () => {
    const { rest, ask } = await approval();
    await ask();
    const first = await rest.get('/approvals?status=WAITING&limit=1');
    return [first, await rest.get(first.body.links.next.href)];
  },
  getApproval: async () => {
    const { rest, path } = await approval();
    return [await rest.get(path)];
  },
  approveApproval: async () => {
    const { rest, path } = await approval();
    return [await rest.post(`${path}/approve`)];
  },
  rejectApproval: async () => {
    const { rest, path } = await approval();
    return [await rest.post(`${path}/reject`, { reason: 'Not agreed.' })];
  },
  getViewer: async () => {
    const program = gateway.given.program();
    await gateway.given.programRecord(program);
    const { customer: customerId } = await gateway.given.customer({ program });
    const ask = async (order: object) => gateway.as(await gateway.caller({ program, ...order })).rest.get('/viewer');
    return [await ask({}), await ask({ customerId }), await ask({ scopes: [], program: unique('program') })];
  },
  search: async () => {
    const { account, owners, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const { last4 } = (await rest.post('/cards/v1/cards', newCard(account, owners[0] as string))).body;
    return Promise.all([account, last4, owners[0], 'Nobody'].map(text => rest.get(`/search?text=${text}`)));
  },
  revealPersonalData: async () => {
    const { program, account, owners, beneficiary } = await gateway.given.beneficiary();
    const { rest } = gateway.as(await gateway.caller({ program, scopes: 'operations.read pii.read' }));
    const reveal = (person: object) =>
      rest.post(`/accounts/${account}/reveal`, { ...person, reason: 'Because' }, keyed('the-same'));
    return [
      await reveal({ customerId: owners[0] }),
      await reveal({ customerId: owners[0] }),
      await rest.post(`/accounts/${account}/reveal`, { beneficiaryId: beneficiary, reason: 'Because' }),
    ];
  },
  getEventChain: async () => {
    const { account, caller } = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const ask = () => rest.get(`/accounts/${account}/event-chain`);
    const empty = await ask();
    await rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary());
    return [empty, await ask()];
  },
  listWebhookEndpoints: async () => {
    const { rest } = await operator();
    for (let count = 0; count < 2; count++) await rest.post('/webhook-endpoints', { url: 'https://bank.example/' });
    const first = await rest.get('/webhook-endpoints?limit=1');
    return [first, await rest.get(first.body.links.next.href)];
  },
  createWebhookEndpoint: async () => {
    const { account, rest } = await operator();
    const input = { url: 'https://bank.example/hook?a=b', description: 'Core', types: ['card.frozen'] };
    return [
      await rest.post('/webhook-endpoints', { ...input, accountIds: [account] }),
      await rest.post('/webhook-endpoints', { url: 'https://bank.example', signing: 'V1A' }),
      await waiting(of => of.rest.post('/webhook-endpoints', { url: 'https://bank.example' }, of.key)),
    ];
  },
  getWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return read(rest, path);
  },
  updateWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [
      await rest.patch(path, { types: ['card.frozen'], accountIds: [], description: 'Ledger' }),
      await rest.patch(path, { status: 'DISABLED' }, { 'content-type': 'application/merge-patch+json' }),
      await waiting(of => of.rest.patch(of.endpoint, { status: 'DISABLED' }, of.key)),
    ];
  },
  deleteWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.delete(path), await waiting(of => of.rest.delete(of.endpoint, of.key))];
  },
  rotateWebhookSecret: async () => {
    const [one, other] = [await webhookEndpoint(), await webhookEndpoint({ signing: 'V1A' })];
    return [
      await one.rest.post(`${one.path}/rotate-secret`),
      await other.rest.post(`${other.path}/rotate-secret`),
      await waiting(of => of.rest.post(`${of.endpoint}/rotate-secret`, undefined, of.key)),
    ];
  },
  listOperatorSessions: async () => {
    const { rest, program } = await operator();
    for (let count = 0; count < 2; count++) await gateway.signIn(program);
    const first = await rest.get('/operator-sessions?limit=1');
    return [first, await rest.get(first.body.links.next.href)];
  },
  endOperatorSession: async () => {
    const { rest, program } = await operator();
    const { sessionId } = await gateway.signIn(program);
    return [await rest.delete(`/operator-sessions/${sessionId}`)];
  },
  listWebhookDeliveries: async () => {
    const { rest, path } = await webhookEndpoint();
    for (const type of ['card.frozen', 'card.closed']) await rest.post(`${path}/test`, { type });
    const first = await rest.get(`${path}/deliveries?limit=1&types=card.frozen,card.closed`);
    return [first, await rest.get(first.body.links.next.href)];
  },
  sendTestEvent: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.post(`${path}/test`, { type: 'card.frozen' })];
  },
  recoverWebhookEndpoint: async () => {
    const { rest, path } = await webhookEndpoint();
    return [await rest.post(`${path}/recover`, { since: new Date(Date.now() - 60_000).toISOString() })];
  },
  getWebhookDelivery: async () => {
    const { rest, path } = await webhookEndpoint();
    const { headers } = await rest.post(`${path}/test`, { type: 'card.frozen' });
    return [await rest.get(headers.location as string)];
  },
  resendWebhookDelivery: async () => {
    const { rest, path } = await webhookEndpoint();
    const { headers } = await rest.post(`${path}/test`, { type: 'card.frozen' });
    return [await rest.post(`${headers.location as string}/resend`)];
  },
  getSimulatedClock: async () => [await (await operator()).rest.get('/simulate/clock')],
  simulateClock: async () => [await (await operator()).rest.post('/simulate/clock', { forward: 'P31D' })],
  simulateMonthClose: async () => [await (await operator()).rest.post('/simulate/month-close', {})],
  simulateAchCredit: () => simulated('ach-credit'),
  simulateAchDebit: () => simulated('ach-debit'),
  simulateWire: () => simulated('wire'),
  simulateInterest: () => simulated('interest'),
  simulateMonthlyFee: () => simulated('monthly-fee'),
  simulateAchReturn: async () => {
    const { account: accountId, rest } = await operator();
    const { body } = await rest.post('/simulate/ach-debit', { accountId });
    const { transactionId } = body.depositTransaction;
    return [await rest.post('/simulate/ach-return', { accountId, transactionId, code: 'R01' })];
  },
  simulateIncomingTransfer: async () => {
    const { rest, ends, all } = await incoming();
    return [
      await rest.post('/simulate/incoming-transfer', ends),
      await rest.post('/simulate/incoming-transfer', { ...ends, ...all }),
      await waiting(async of => {
        const { account: accountId } = await gateway.given.account({ program: of.program });
        const large = { accountId, fromAccountId: of.account, amount: 400 };
        return of.rest.post('/simulate/incoming-transfer', large, of.key);
      }),
    ];
  },
  simulateTransferReturn: async () => {
    const { rest, ends } = await incoming();
    const { body } = await rest.post('/simulate/incoming-transfer', ends);
    const { accountId } = ends;
    const waits = await waiting(async of => {
      const { account } = await gateway.given.account({ program: of.program });
      const made = { accountId: account, fromAccountId: of.account, amount: 250 };
      const { transferId } = (await of.rest.post('/simulate/incoming-transfer', made)).body;
      return of.rest.post('/simulate/transfer-return', { accountId: account, transferId }, of.key);
    });
    return [await rest.post('/simulate/transfer-return', { accountId, transferId: body.transferId }), waits];
  },
  simulateCardAuthorization: async () => [(await authorized()).answer],
  simulateCardCapture: async () => {
    const { rest, hold } = await authorized();
    return [await rest.post('/simulate/card-capture', { ...hold, amount: 1.5, keepRest: true })];
  },
  simulateCardReversal: async () => {
    const { rest, hold } = await authorized();
    return [await rest.post('/simulate/card-reversal', hold)];
  },
  simulateHoldExpiry: async () => {
    const { rest, hold } = await authorized();
    return [await rest.post('/simulate/hold-expiry', hold)];
  },
  simulateCardRefund: async () => {
    const { rest, hold } = await authorized();
    await rest.post('/simulate/card-capture', hold);
    const transactionId = `${hold.holdId}~1`;
    return [await rest.post('/simulate/card-refund', { accountId: hold.accountId, transactionId, amount: 0.5 })];
  },
  isAlive: async () => [await gateway.as(null).rest.get('/livez')],
  isReady: async () => [await gateway.as(null).rest.get('/readyz')],
  getMetrics: async () => [await gateway.as(null).rest.get('/metrics')],
  listTokenRevocations: async () => {
    const { rest } = await operator();
    for (const value of ['one', 'other']) await rest.post('/token-revocations', { kind: 'TOKEN', value });
    return [await rest.get('/token-revocations?limit=1'), await rest.get('/token-revocations?limit=1&offSet=1')];
  },
  revokeTokens: async () => {
    const { rest } = await operator();
    return [
      await rest.post('/token-revocations', { kind: 'TOKEN', value: 'some-jti' }),
      await rest.post('/token-revocations', { kind: 'CLIENT', value: 'some', before: '2026-03-31T18:05:00.000Z' }),
    ];
  },
  getOverview: async () => {
    const { rest } = await operator();
    await rest.get('/overview');
    return [await rest.get('/overview')];
  },
  listRequests: async () => [(await loggedRequest()).list],
  getRequest: async () => [(await loggedRequest()).answer],
  getProtectedResource: async () => [await gateway.as(null).rest.get('/.well-known/oauth-protected-resource')],
  getOpenApi: async () => {
    const { rest } = gateway.as(null);
    const first = await rest.get('/openapi.json');
    return [first, await rest.get('/openapi.json', { 'if-none-match': String(first.headers.etag) })];
  },
  getEventSchema: async () => {
    const { rest } = gateway.as(null);
    const first = await rest.get('/events.schema.json');
    return [first, await rest.get('/events.schema.json', { 'if-none-match': String(first.headers.etag) })];
  },
};

async function operator() {
  const { account, caller, program } = await gateway.given.account();
  return { account, program, rest: gateway.as(caller).rest };
}

/** A request that the log has, which it gets a moment after the answer. */
async function loggedRequest() {
  const { program, account, rest } = await operator();
  const reader = gateway.as(await gateway.caller({ program, scopes: 'operations.read' })).rest;
  const id = unique('request');
  await rest.post(`/accounts/${account}/restrict`, { reason: 'Because' }, { 'x-request-id': id });
  let answer = await reader.get(`/requests/${id}`);
  await until(async () => (answer = await reader.get(`/requests/${id}`)).status === 200);
  return { answer, list: await reader.get('/requests') };
}

/** What a request is answered with where it waits. */
async function waiting(send: (of: Awaited<ReturnType<typeof givenWaiting>>) => Promise<Answer>): Promise<Answer> {
  return send(await givenWaiting());
}

/** A program in which all that can wait waits. */
async function givenWaiting() {
  const of = await gateway.given.account();
  const { program } = of;
  const { rest } = gateway.as(of.caller);
  const { headers } = await rest.post('/webhook-endpoints', { url: 'https://bank.example/' });
  const changes = {
    agentProposals: true,
    changingOwners: true,
    changingWebhookEndpoints: true,
    changingTransferLimits: true,
    erasingCustomers: true,
    documents: true,
    closingAccounts: true,
    reversalsAbove: [{ currency: 'USD', amount: '0' }],
    postingsAbove: [{ currency: 'USD', amount: '200' }],
    transfersAbove: [{ currency: 'USD', amount: '300' }],
  };
  await gateway.given.programRecord(program, { approvals: changes });
  const { customer } = await gateway.given.customer({ program });
  const key = keyed(unique('key'));
  const agent = gateway.as(await gateway.caller({ program, scopes: 'operations agent' })).rest;
  const stated = { ...key, 'agent-reason': 'Asked by the branch.' };
  return { ...of, rest, customer, endpoint: headers['location'] as string, key, agent, stated };
}

/** A command that waits, and clients of another person. */
async function approval() {
  const { account, program, caller } = await gateway.given.account();
  await gateway.given.programRecord(program, { approvals: { changingOwners: true } });
  const ask = async () => {
    const { customer } = await gateway.given.customer({ program });
    const holders = [{ customerId: customer }];
    return gateway.as(caller).rest.post(`/accounts/${account}/owners/add`, { holders }, keyed(unique('key')));
  };
  const { headers } = await ask();
  const { rest } = gateway.as(await gateway.caller({ program, subject: 'another' }));
  return { rest, ask, path: headers['location'] as string };
}

/** A purchase by card that is authorised. */
async function authorized() {
  const { account: accountId, owners, caller } = await gateway.given.account();
  const { rest } = gateway.as(caller);
  await rest.post('/cards/v1/cards', newCard(accountId, owners[0] as string, { status: 'Active' }));
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const answer = await rest.post('/simulate/card-authorization', { accountId, amount: 20, expiresAt });
  return { rest, answer, hold: { accountId, holdId: answer.body.holdId as string } };
}

/** An account that gets money from another one. */
async function incoming() {
  const { account: accountId, program, caller } = await gateway.given.account();
  const { account: fromAccountId } = await gateway.given.account({ program });
  const all = { amount: 12.5, description: 'Made to happen', seed: 1 };
  return { rest: gateway.as(caller).rest, ends: { accountId, fromAccountId }, all };
}

async function simulated(kind: string): Promise<Answer[]> {
  const { account: accountId, rest } = await operator();
  const all = { accountId, amount: 12.5, description: 'Made to happen', seed: 1 };
  return [await rest.post(`/simulate/${kind}`, { accountId }), await rest.post(`/simulate/${kind}`, all)];
}

async function madeTransfer() {
  const of = await gateway.given.account();
  const to = await gateway.given.account({ program: of.program });
  const { rest } = gateway.as(of.caller);
  const input = { ...transferOf({ from: of, to }), amount: 250 };
  return { answer: await rest.post('/transfers', input), rest, input };
}

async function placedHold() {
  const { account, owners, caller } = await gateway.given.account();
  const { rest } = gateway.as(caller);
  const card = newCard(account, owners[0] as string);
  await rest.post('/cards/v1/cards', card);
  const answer = await rest.post(`/accounts/${account}/holds`, { ...newHold({ cardId: card.cardId }), amount: 75 });
  return { answer, rest, path: answer.headers.location as string };
}

async function newAccount() {
  const { program, customer } = await gateway.given.customer();
  const input = {
    accountId: unique('acc'),
    accountType: 'CHECKING',
    currency: 'USD',
    timeZone: 'UTC',
    interestBearing: false,
    openedOn: '2026-03-31',
    overdraftLimit: 0.5,
    owners: [customer],
  };
  return { rest: gateway.as(await gateway.caller({ program })).rest, input };
}

async function webhookEndpoint(input: object = {}) {
  const { rest } = await operator();
  const { headers } = await rest.post('/webhook-endpoints', { url: 'https://bank.example/', ...input });
  return { rest, path: headers.location as string };
}

test('every operation answers with each status and content type that is documented for when it is not refused', async () => {
  const { operations } = contract;
  expect(Object.keys(CALLS).sort()).toEqual(operations.map(({ id }) => id).sort());
  for (const { id, operation } of operations) {
    const answers = await (CALLS[id] as () => Promise<readonly Answer[]>)();
    const documented = Object.keys(operation['responses']).filter(status => Number(status) < 400);
    expect([id, [...new Set(answers.map(({ status }) => String(status)))].sort()]).toEqual([id, documented.sort()]);
    const [response] = contract.resolved(operation['responses']['200'] ?? {}, '');
    const types = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => String(headers['content-type']).split(';', 1).join());
    expect([id, [...new Set(types)].sort()]).toEqual([id, Object.keys(response['content'] ?? {}).sort()]);
  }
});

describe('what is served', () => {
  test('every route is documented, and nothing else is', async () => {
    const documented = contract.operations.map(
      ({ method, template }) => `${method.toUpperCase()} ${template.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    const ofNouns = await servedBy(gateway).routes();
    expect(documented).toEqual(expect.arrayContaining(ofNouns));
    const others = documented.filter(route => !ofNouns.includes(route)).map(route => route.split(' ').slice(1).join());
    const paths = (await otherPaths()).filter(path => !isOtherwiseDescribed(path));
    expect(others.sort()).toEqual(paths);
  });
});

describe('who may', () => {
  const path = (template: string) => template.replace('{docType}', 'Statements').replace(/\{\w+\}/g, randomUUID());

  test('a token needs the scopes that are documented, and no other', async () => {
    for (const { id, method, template, operation } of contract.operations) {
      for (const { accessToken } of operation['security']) {
        if (!accessToken) continue;
        const needed = (operation['x-required-scope'] as string | undefined)?.split(' ') ?? [];
        const ask = async (scopes: readonly string[]) =>
          gateway
            .as(await gateway.caller({ scopes: scopes.join(' ') }))
            .raw({ method: method.toUpperCase(), path: path(template) });
        for (const scope of needed) {
          const without = await ask(scopesWithout(scope as Scope));
          expect([id, without.status, without.body.code]).toEqual([id, 403, 'insufficient_scope']);
          expect(without.headers['www-authenticate']).toMatch(new RegExp(`scope="${scope}"$`));
        }
        const alone = await ask(needed);
        expect([id, [401, 403].includes(alone.status)]).toEqual([id, false]);
      }
    }
  });

  test('what is documented to need no token needs none, and all else does', async () => {
    for (const { id, method, template, operation } of contract.operations) {
      const needsToken = operation['security'].some((way: object) => 'accessToken' in way);
      const { status, body } = await gateway.as(null).raw({ method: method.toUpperCase(), path: path(template) });
      expect([id, status === 401 && body.code === 'unauthenticated']).toEqual([id, needsToken]);
    }
  });
});
