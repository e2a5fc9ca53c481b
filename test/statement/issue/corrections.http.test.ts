import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customerRecord, importing } from '../../cli/importing.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { PROGRAM, type GivenAccount } from '../../support/given.js';
import { formsOf, issue, post } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

interface CorrectionCase {
  readonly of: GivenAccount;
  /** Changes the customer as an import does. */
  customer(changes: object): Promise<void>;
  /** Changes the program's record. */
  program(changes: object): Promise<void>;
}

/** An account of a customer with a form for 2024. */
async function given(): Promise<CorrectionCase> {
  const program = gateway.given.program();
  await gateway.given.programRecord(program);
  const record = customerRecord();
  const customer = async (changes: object) => {
    const became = await importing(gateway, 'customers', program, [{ ...record, ...changes }]);
    if (!['new', 'updated'].includes(String(became[0]))) throw new Error(`it became ${String(became[0])}`);
  };
  await customer({});
  const of = await gateway.given.account({ program, owners: [record.customerId] });
  await post(gateway, of, [{ at: '2024-03-01', amount: '20.00', type: 'INTEREST' }]);
  await issue(gateway, '1099', '2024', program);
  return { of, customer, program: changes => gateway.given.programRecord(program, changes) };
}

const DOCUMENTS = `query ($account: ID!) { account(accountId: $account) { statements(filter: { documentTypes: [TAX_1099] }) { nodes {
  statementId correctsStatementId correctedByStatementId correctionKind downloadPath } } } }`;

interface Document {
  readonly statementId: string;
  readonly correctsStatementId: string | null;
  readonly correctedByStatementId: string | null;
  readonly correctionKind: string | null;
  readonly downloadPath: string;
}

/** The forms of an account as GraphQL lists them, the newest first. */
async function documentsOf({ account, caller }: GivenAccount): Promise<Document[]> {
  const { data } = await gateway.as(caller).graphql(DOCUMENTS, { account });
  return data.account.statements.nodes;
}

const NAME = { first: 'Ada', middle: 'K', last: 'Nonesuch-Reyes' };
const HOME = {
  line1: '9 Quill Lane',
  city: 'Port Ambergill',
  state: 'OR',
  postalCode: '00123',
  country: 'US',
  type: 'HOME',
};

test.each<[what: string, kind: string, change: (given: CorrectionCase) => Promise<unknown>]>([
  ['the name of the recipient', 'RECIPIENT', ({ customer }) => customer({ name: NAME })],
  ['the tax id of the recipient', 'RECIPIENT', ({ customer }) => customer({ taxId: '900-00-4322' })],
  ['digits of the tax id that forms do not show', 'RECIPIENT', ({ customer }) => customer({ taxId: '900-01-4321' })],
  ['the address of the recipient', 'ADDRESS', ({ customer }) => customer({ addresses: [HOME] })],
  ['the name of the payer', 'PAYER', ({ program }) => program({ payer: { ...PROGRAM.payer, name: 'Harbor Bank' } })],
  ['the tax id of the payer', 'PAYER', ({ program }) => program({ payer: { ...PROGRAM.payer, taxId: '12-3456780' } })],
  ['an amount', 'AMOUNT', ({ of }) => post(gateway, of, [{ at: '2024-05-01', amount: '1.00', type: 'INTEREST' }])],
  [
    'an amount, the address and the payer',
    'AMOUNT',
    async ({ of, customer, program }) => {
      await post(gateway, of, [{ at: '2024-05-01', amount: '1.00', type: 'INTEREST' }]);
      await customer({ addresses: [HOME] });
      await program({ payer: { ...PROGRAM.payer, name: 'Harbor Bank' } });
    },
  ],
  [
    'the name and an amount',
    'RECIPIENT',
    async ({ of, customer }) => {
      await post(gateway, of, [{ at: '2024-05-01', amount: '1.00', type: 'INTEREST' }]);
      await customer({ name: NAME });
    },
  ],
])('%s is corrected by a form of the kind %s, once, and both name each other', async (_what, kind, change) => {
  const made = await given();
  const { of } = made;
  const [first] = await documentsOf(of);
  expect(first).toMatchObject({ correctsStatementId: null, correctedByStatementId: null, correctionKind: null });

  await change(made);
  expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 0, corrected: 1, leftOut: 0 });
  expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 0, corrected: 0, leftOut: 0 });

  const [correction, corrected, ...others] = await documentsOf(of);
  expect(others).toEqual([]);
  expect(corrected).toEqual({ ...first, correctedByStatementId: correction?.statementId });
  expect(correction).toMatchObject({
    correctsStatementId: first?.statementId,
    correctedByStatementId: null,
    correctionKind: kind,
  });
  const { body } = await gateway.as(of.caller).rest.get<object>(String(correction?.downloadPath), {
    accept: 'application/json',
  });
  expect(body).toMatchObject({ correctedStatementId: first?.statementId, correctionKind: kind });
});

test('a correction states everything as it is now', async () => {
  const { of, customer, program } = await given();
  await customer({ name: NAME, addresses: [HOME] });
  await program({ payer: { ...PROGRAM.payer, name: 'Harbor Bank' } });
  await issue(gateway, '1099', '2024', of.program);
  const [, correction] = await formsOf(gateway, of.account);
  expect(correction?.content).toMatchObject({
    recipient: { name: 'Ada K Nonesuch-Reyes', addressLines: ['9 Quill Lane', 'Port Ambergill, OR 00123'] },
    payer: { name: 'Harbor Bank', taxId: PROGRAM.payer.taxId },
    boxes: { 1: '20.00' },
  });
});

test.each<[what: string, change: (given: CorrectionCase) => Promise<unknown>]>([
  ["the payer's telephone", ({ program }) => program({ payer: { ...PROGRAM.payer, telephone: '+1 503 555 0199' } })],
  ["the payer's address", ({ program }) => program({ payer: { ...PROGRAM.payer, addressLines: ['3 Pier', 'Salem'] } })],
  ['the letterhead', ({ program }) => program({ letterhead: { ...PROGRAM.letterhead, name: 'Harbor' } })],
  ['capitals in the name', ({ customer }) => customer({ name: { first: 'ADA', middle: 'k', last: 'NoneSuch' } })],
  [
    "the recipient's telephone",
    ({ customer }) => customer({ contact: { email: [], telephones: [{ type: 'HOME', country: 'US', number: '1' }] } }),
  ],
])('%s needs no correction', async (_what, change) => {
  const made = await given();
  await change(made);
  expect(await issue(gateway, '1099', '2024', made.of.program)).toMatchObject({ issued: 0, corrected: 0, leftOut: 0 });
});

test('nobody is shown the whole tax id that is kept with a form', async () => {
  const { of } = await given();
  const [form] = await documentsOf(of);
  for (const accept of ['application/json', 'application/pdf']) {
    const { text } = await gateway.as(of.caller).rest.get(String(form?.downloadPath), { accept });
    expect(text).not.toContain('900004321');
  }
  const [kept] = await formsOf(gateway, of.account);
  expect(kept?.content).toMatchObject({ recipientTaxId: '900004321' });
});
