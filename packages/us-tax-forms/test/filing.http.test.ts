import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { USUAL_SCOPES, keyed, startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { PROGRAM } from '../../../test/support/given.js';
import { TRANSMITTER, TaxBank, YEAR, idOf, interest, type Payee } from './bank.js';

const plain = Array.from({ length: 25 }, (_, index): Payee => {
  const number = String(index + 1).padStart(2, '0');
  return {
    key: number,
    last: `Plain${'abcdefghijklmnopqrstuvwxyz'[index] ?? ''}`,
    taxId: `1111111${number}`,
    accounts: [[interest(`${20 + index}.${number}`)]],
  };
});

/** Forty payees, of whom everybody after the 25 plain ones is a case of its own. */
const PAYEES: readonly Payee[] = [
  ...plain,
  { key: '26', last: 'Two-Accounts', taxId: '222222201', accounts: [[interest('6.00')], [interest('6.00')]] },
  { key: '27', last: 'Joint', taxId: '222222202', accounts: [[interest('30.00')]], coOwner: '01' },
  { key: '28', last: 'Twice', taxId: '222222203', accounts: [[interest('4.00')]] },
  { key: '29', last: 'Twice', taxId: '222222203', accounts: [[interest('6.00')]] },
  { key: '30', last: 'Back', taxId: '222222204', accounts: [[interest('2.00'), interest('-5.00')]] },
  { key: '31', last: 'Below', taxId: '222222205', accounts: [[interest('9.99')]] },
  { key: '32', last: 'Falls', taxId: '222222206', accounts: [[interest('20.00')]] },
  { key: '33', last: 'Rises', taxId: '222222207', accounts: [[interest('20.00')]] },
  {
    key: '34',
    last: 'Withheld',
    taxId: '222222208',
    accounts: [[{ at: `${YEAR}-03-01`, amount: '-1.20', type: 'FEDERALTAXWITHHELD' }]],
  },
  {
    key: '35',
    last: 'Foreign',
    taxId: '222222209',
    changes: { taxStatus: 'FOREIGN', taxStatusOn: `${YEAR}-01-01` },
    accounts: [[interest('40.00')]],
  },
  {
    key: '36',
    last: 'Uncertified',
    taxId: '222222210',
    changes: { taxStatus: 'UNCERTIFIED', taxStatusOn: `${YEAR}-01-01` },
    accounts: [[interest('15.00')]],
  },
  { key: '37', last: 'Euro', taxId: '222222211', currency: 'EUR', accounts: [[interest('50.00')]] },
  { key: '38', first: 'สมชาย', last: 'ใจดี', taxId: '222222212', accounts: [[interest('60.00')]] },
  {
    key: '39',
    first: 'Jürgen',
    last: "O'Größe",
    taxId: '222222213',
    changes: {
      addresses: [
        {
          line1: 'Hauptstraße 1 #2',
          city: 'München',
          state: 'Bayern',
          postalCode: '80331',
          country: 'DE',
          type: 'HOME',
        },
      ],
      electronicTaxFormsOn: '2026-02-01',
    },
    accounts: [[interest('70.00'), { at: `${YEAR}-05-01`, amount: '-3.00', type: 'EARLYWITHDRAWALPENALTY' }]],
  },
  {
    key: '40',
    first: '',
    last: 'Quill & Sons',
    taxId: '222222214',
    changes: { secondTinNoticeOn: '2026-06-01' },
    accounts: [[interest('80.00')]],
  },
];

let gateway: TestGateway;
let bank: TaxBank;
beforeAll(async () => {
  gateway = await startTestGateway({});
  bank = await TaxBank.open(gateway, PAYEES);
});
afterAll(() => gateway.stop());

const US = `<MailingAddressGrp><USAddress><AddressLine1Txt>1 Elm Street</AddressLine1Txt><CityNm>Springfield</CityNm><StateAbbreviationCd>IL</StateAbbreviationCd><ZIPCd>62704</ZIPCd></USAddress></MailingAddressGrp>`;
const person = (last: string, first = 'Ada') =>
  `<PersonName><PersonFirstNm>${first}</PersonFirstNm><PersonLastNm>${last}</PersonLastNm></PersonName>`;

interface ExpectedReturn {
  readonly key: string;
  readonly number?: number;
  readonly name: string;
  readonly tin: string;
  readonly tinType?: string;
  readonly address?: string;
  readonly boxes: readonly [string, string, string];
  readonly notice?: '0' | '1';
  readonly corrects?: string;
}

/** A return as the file has it, written by hand. */
function detail(record: number, of: ExpectedReturn): string {
  const { key, number = 1, name, tin, tinType = 'INDIVIDUAL_TIN', address = US, boxes, notice = '0', corrects } = of;
  const corrected = corrects
    ? `<CorrectedInd>1</CorrectedInd><PrevSubmittedRecRecipientGrp><UniqueRecordId>${corrects}</UniqueRecordId></PrevSubmittedRecRecipientGrp>`
    : '<CorrectedInd>0</CorrectedInd>';
  return (
    `<Form1099INTDetail><TaxYr>2026</TaxYr><RecordId>${record}</RecordId><VoidInd>0</VoidInd>${corrected}` +
    `<RecipientDetail><TIN>${tin}</TIN><TINSubmittedTypeCd>${tinType}</TINSubmittedTypeCd>${name}${address}</RecipientDetail>` +
    `<RecipientAccountNum>${bank.accountId(key, number)}</RecipientAccountNum>` +
    `<SecondTINNoticeInd>${notice}</SecondTINNoticeInd><FATCAFilingRequirementInd>0</FATCAFilingRequirementInd>` +
    `<InterestIncomeAmt>${boxes[0]}</InterestIncomeAmt><EarlyWithdrawalPenaltyAmt>${boxes[1]}</EarlyWithdrawalPenaltyAmt>` +
    `<FederalIncomeTaxWithheldAmt>${boxes[2]}</FederalIncomeTaxWithheldAmt></Form1099INTDetail>\n`
  );
}

const QUAY = (line: string) =>
  `<MailingAddressGrp><USAddress><AddressLine1Txt>${line}</AddressLine1Txt><CityNm>Port Ambergill</CityNm><StateAbbreviationCd>OR</StateAbbreviationCd><ZIPCd>97000</ZIPCd></USAddress></MailingAddressGrp>`;
const business = (name: string) => `<BusinessName><BusinessNameLine1Txt>${name}</BusinessNameLine1Txt></BusinessName>`;

/** A whole file, written by hand. */
function file(
  kind: 'O' | 'C' | 'R',
  transmissionId: string,
  sums: { withheld: string; reported: string; interest: string; penalty: string },
  returns: readonly ExpectedReturn[],
  originalReceipt = '',
): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<IRTransmission xmlns="urn:us:gov:treasury:irs:ir">\n` +
    `<IRTransmissionManifest><SchemaVersionNum>2.0.3</SchemaVersionNum><UniqueTransmissionId>${transmissionId}</UniqueTransmissionId>` +
    `<TaxYr>2026</TaxYr><PriorYearDataInd>0</PriorYearDataInd><TransmissionTypeCd>${kind}</TransmissionTypeCd><TestCd>P</TestCd>${originalReceipt}` +
    `<TransmitterGrp><TIN>987654321</TIN><TINSubmittedTypeCd>BUSINESS_TIN</TINSubmittedTypeCd><TransmitterControlCd>ABC12</TransmitterControlCd><ForeignEntityInd>0</ForeignEntityInd>` +
    `${business('Harbor Filing Service')}<CompanyGrp>${business('Harbor Filing Service')}${QUAY('3 Quay Street')}</CompanyGrp>` +
    `<ContactNameGrp><PersonNm>Pat Quill</PersonNm></ContactNameGrp><ContactEmailAddressTxt>tax@bank.example</ContactEmailAddressTxt><ContactPhoneNum>5035550199</ContactPhoneNum></TransmitterGrp>` +
    `<VendorCd>I</VendorCd><SoftwareId>26A0000001</SoftwareId><TotalIssuerFormCnt>1</TotalIssuerFormCnt><TotalRecipientFormCnt>${returns.length}</TotalRecipientFormCnt>` +
    `<PaperSubmissionInd>0</PaperSubmissionInd><MediaSourceCd>M</MediaSourceCd><SubmissionChannelCd>A2A</SubmissionChannelCd></IRTransmissionManifest>\n` +
    `<IRSubmission1Grp>\n<IRSubmission1Header><SubmissionId>1</SubmissionId><TaxYr>2026</TaxYr>` +
    `<IssuerDetail><ForeignEntityInd>0</ForeignEntityInd><TIN>123456789</TIN><TINSubmittedTypeCd>BUSINESS_TIN</TINSubmittedTypeCd><BusinessNameControlTxt>HARB</BusinessNameControlTxt>` +
    `${business('The Harbor Example Bank N A')}${QUAY('2 Quay Street')}<PhoneNum>5035550101</PhoneNum></IssuerDetail>` +
    `<ContactPersonInformationGrp><ContactPersonNm>Pat Quill</ContactPersonNm><ContactPhoneNum>5035550199</ContactPhoneNum><ContactEmailAddressTxt>tax@bank.example</ContactEmailAddressTxt></ContactPersonInformationGrp>` +
    `<FormTypeCd>1099INT</FormTypeCd><ParentFormTypeCd>1096</ParentFormTypeCd><CFSFElectionInd>0</CFSFElectionInd><TotalReportedRcpntFormCnt>${returns.length}</TotalReportedRcpntFormCnt>` +
    `<IRSubmission1FormTotals><Form1099INTTotalAmtGrp><FederalIncomeTaxWithheldAmt>${sums.withheld}</FederalIncomeTaxWithheldAmt><TotalReportedAmt>${sums.reported}</TotalReportedAmt>` +
    `<InterestIncomeAmt>${sums.interest}</InterestIncomeAmt><EarlyWithdrawalPenaltyAmt>${sums.penalty}</EarlyWithdrawalPenaltyAmt></Form1099INTTotalAmtGrp></IRSubmission1FormTotals></IRSubmission1Header>\n` +
    `<IRSubmission1Detail>\n${returns.map((one, index) => detail(index + 1, one)).join('')}</IRSubmission1Detail>\n</IRSubmission1Grp>\n</IRTransmission>\n`
  );
}

const MUNICH = `<MailingAddressGrp><ForeignAddress><AddressLine1Txt>Hauptstrasse 1 2</AddressLine1Txt><CityNm>Munchen</CityNm><ProvinceOrStateNm>Bayern</ProvinceOrStateNm><CountryCd>GM</CountryCd><ForeignPostalCd>80331</ForeignPostalCd></ForeignAddress></MailingAddressGrp>`;
const ORIGINALS: readonly ExpectedReturn[] = [
  ...plain.map(({ key, last, taxId }, index) => ({
    key,
    name: person(last),
    tin: taxId,
    boxes: [`${20 + index}.${key}`, '0.00', '0.00'] as const,
  })),
  { key: '26', name: person('Two-Accounts'), tin: '222222201', boxes: ['6.00', '0.00', '0.00'] },
  { key: '26', number: 2, name: person('Two-Accounts'), tin: '222222201', boxes: ['6.00', '0.00', '0.00'] },
  { key: '27', name: person('Joint'), tin: '222222202', boxes: ['30.00', '0.00', '0.00'] },
  { key: '28', name: person('Twice'), tin: '222222203', boxes: ['4.00', '0.00', '0.00'] },
  { key: '29', name: person('Twice'), tin: '222222203', boxes: ['6.00', '0.00', '0.00'] },
  { key: '32', name: person('Falls'), tin: '222222206', boxes: ['20.00', '0.00', '0.00'] },
  { key: '33', name: person('Rises'), tin: '222222207', boxes: ['20.00', '0.00', '0.00'] },
  { key: '34', name: person('Withheld'), tin: '222222208', boxes: ['0.00', '0.00', '1.20'] },
  { key: '36', name: person('Uncertified'), tin: '222222210', boxes: ['15.00', '0.00', '0.00'] },
  { key: '39', name: person('OGrosse', 'Jurgen'), tin: '222222213', address: MUNICH, boxes: ['70.00', '3.00', '0.00'] },
  {
    key: '40',
    name: business('Quill &amp; Sons'),
    tin: '222222214',
    tinType: 'UNKNOWN',
    boxes: ['80.00', '0.00', '0.00'],
    notice: '1',
  },
];

test('forty payees: forms, returns byte for byte, their answer, corrections and a replacement', async () => {
  const leftOut = await bank.issue();
  expect(leftOut).toEqual({
    '30-1': ['taken_back'],
    '35-1': ['foreign_payee'],
    '37-1': ['not_usd'],
  });

  // 25 plain ones: 20.01 + 21.02 + … + 44.25 = 803.25; and 6 + 6 + 30 + 4 + 6 + 20 + 20 + 15 + 70 + 80 = 257.00.
  const first = await bank.file();
  expect(first.unfilable).toEqual([{ accountId: bank.accountId('38'), reason: 'UNFILABLE_NAME' }]);
  const xml = first.files.get(`1099-int-2026-original-1.xml`) ?? '';
  expect(xml).toBe(
    file('O', idOf(xml), { withheld: '1.20', reported: '1063.25', interest: '1060.25', penalty: '3.00' }, ORIGINALS),
  );
  expect(idOf(xml)).toMatch(/^[0-9a-f-]{36}:IRIS:ABC12::A$/);
  expect(first.files.size).toBe(1);

  // The sums are those of the ledger: what was paid to accounts that have a return.
  const { rows } = await gateway.sql.query(
    `SELECT sum(t.amount_minor)::text AS cents FROM transaction t JOIN tax_filing_form f USING (account_id)
     WHERE f.program = $1 AND t.transaction_type = 'INTEREST'`,
    [bank.program],
  );
  expect(rows[0]).toEqual({ cents: '106025' });

  const query = `query ($id: ID!) { taxFiling(filingId: $id) { state: status kind forms: formCount interest federalTaxWithheld
    transmissions { state: status receiptId forms: formCount } returns(first: 100, filter: { statuses: ACCEPTED_WITH_ERRORS }) { totalCount nodes { accountId recordId errors { code message } } } } }`;
  const filingId = first.filings[0]?.filingId;
  const me = gateway.as(bank.caller);
  expect((await me.graphql(query, { id: filingId })).data.taxFiling).toMatchObject({
    state: 'EXPORTED',
    kind: 'ORIGINAL',
    forms: 36,
    interest: '1060.25',
    federalTaxWithheld: '1.20',
  });

  expect(await bank.answer(idOf(xml), 'Processing', 'R-1')).toMatchObject({ state: 'SENT' });
  await expect(bank.file()).rejects.toThrow('The IRS has not answered filing');
  const answered = await bank.answer(idOf(xml), 'Accepted with Errors', 'R-1', { 1: 'TIN_1', 35: 'TIN_2' });
  expect(answered).toMatchObject({ filingId, state: 'ACCEPTED_WITH_ERRORS' });
  const { data } = await me.graphql(query, { id: filingId });
  expect(data.taxFiling).toMatchObject({
    state: 'ACCEPTED_WITH_ERRORS',
    transmissions: [{ state: 'ACCEPTED_WITH_ERRORS', receiptId: 'R-1', forms: 36 }],
  });
  expect(data.taxFiling.returns).toEqual({
    totalCount: 2,
    nodes: [
      {
        accountId: bank.accountId('01'),
        recordId: 1,
        errors: [{ code: 'TIN_1', message: 'The name and the TIN do not match.' }],
      },
      {
        accountId: bank.accountId('39'),
        recordId: 35,
        errors: [{ code: 'TIN_2', message: 'The name and the TIN do not match.' }],
      },
    ],
  });
  const rest = await me.rest.get(`/tax-filings/${filingId}/returns?state=ACCEPTED_WITH_ERRORS`);
  expect(rest.body.page).toEqual({ totalElements: 2 });

  const customersOf = async (list: string): Promise<string[]> => {
    const { body } = await me.rest.get(`/tax-years/2026/payees?list=${list}&limit=100`);
    return body.payees.map(({ customerId }: { customerId: string }) => customerId).toSorted();
  };
  const ids = (...keys: string[]) => keys.map(key => bank.customers.get(key) ?? '').toSorted();
  expect(await customersOf('CORRECTIONS')).toEqual(ids('01', '39'));
  expect((await me.rest.get('/tax-years/2026/payees?list=NOT_FILED')).body.payees).toMatchObject([
    { customerId: bank.customers.get('38'), interest: 60, reason: 'UNFILABLE_NAME' },
  ]);

  // Nothing has changed, so nothing is to be filed.
  expect(await bank.file()).toMatchObject({ filings: [] });

  await bank.postTo('32', 1, [interest('-14.00', `${YEAR}-12-30`)]);
  await bank.postTo('33', 1, [interest('10.00', `${YEAR}-12-30`)]);
  const changed = await me.rest.patch(`/customers/${bank.customers.get('01')}`, { taxId: '333333301' });
  expect(changed.status).toBe(200);
  await bank.issue();
  expect(await customersOf('CORRECTIONS')).toEqual(ids('01', '32', '33', '39'));
  const second = await bank.file();
  expect(second.filings.map(({ kind, forms }) => [kind, forms])).toEqual([
    ['CORRECTION', 3],
    ['ORIGINAL', 1],
  ]);
  const corrections: readonly ExpectedReturn[] = [
    { key: '01', name: person('Plaina'), tin: '111111101', boxes: ['0.00', '0.00', '0.00'], corrects: 'R-1|1|1' },
    { key: '32', name: person('Falls'), tin: '222222206', boxes: ['0.00', '0.00', '0.00'], corrects: 'R-1|1|31' },
    { key: '33', name: person('Rises'), tin: '222222207', boxes: ['30.00', '0.00', '0.00'], corrects: 'R-1|1|32' },
  ];
  const sums = { withheld: '0.00', reported: '30.00', interest: '30.00', penalty: '0.00' };
  const corrected = second.files.get('1099-int-2026-correction-1.xml') ?? '';
  expect(corrected).toBe(file('C', idOf(corrected), sums, corrections));
  const anew = second.files.get('1099-int-2026-original-1.xml') ?? '';
  const again = { key: '01', name: person('Plaina'), tin: '333333301', boxes: ['20.01', '0.00', '0.00'] as const };
  const own = { withheld: '0.00', reported: '20.01', interest: '20.01', penalty: '0.00' };
  expect(anew).toBe(file('O', idOf(anew), own, [again]));

  expect(await bank.answer(idOf(anew), 'Accepted', 'R-3')).toMatchObject({ state: 'ACCEPTED' });
  expect(await bank.answer(idOf(corrected), 'Rejected', 'R-2')).toMatchObject({ state: 'REJECTED' });
  const third = await bank.file();
  expect(third.filings.map(({ kind, forms }) => [kind, forms])).toEqual([['REPLACEMENT', 3]]);
  const replaced = third.files.get('1099-int-2026-replacement-1.xml') ?? '';
  expect(replaced).toBe(file('R', idOf(replaced), sums, corrections, '<OriginalReceiptId>R-2</OriginalReceiptId>'));
  expect(await bank.answer(idOf(replaced), 'Accepted', 'R-4')).toMatchObject({ state: 'ACCEPTED' });
  expect((await me.graphql(query, { id: second.filings[0]?.filingId })).data.taxFiling.state).toBe('REPLACED');
  expect(await bank.file()).toMatchObject({ filings: [] });

  // Each change of a filing is an event of the program, by whoever gave the command.
  const events = `query { events(first: 100, filter: { types: ["tax_filing.changed"] }) { nodes { payload audit { clientId subject } } } }`;
  await gateway.feedReady();
  const told = (await me.graphql(events)).data.events.nodes;
  expect(
    told
      .map(({ payload }: { payload: { kind: string; state: string } }) => `${payload.kind} ${payload.state}`)
      .toSorted(),
  ).toEqual([
    'CORRECTION DRAFT',
    'CORRECTION DRAFT',
    'CORRECTION DRAFT',
    'CORRECTION EXPORTED',
    'CORRECTION REJECTED',
    'CORRECTION REPLACED',
    'ORIGINAL ACCEPTED',
    'ORIGINAL ACCEPTED_WITH_ERRORS',
    'ORIGINAL DRAFT',
    'ORIGINAL DRAFT',
    'ORIGINAL DRAFT',
    'ORIGINAL DRAFT',
    'ORIGINAL EXPORTED',
    'ORIGINAL EXPORTED',
    'ORIGINAL SENT',
    'REPLACEMENT ACCEPTED',
    'REPLACEMENT DRAFT',
    'REPLACEMENT EXPORTED',
  ]);

  const year = await me.rest.get('/tax-years/2026');
  expect(year.body).toMatchObject({ forms: 38, correctedForms: 3 });
  expect(year.body.steps.map(({ code, isDone }: { code: string; isDone: boolean }) => [code, isDone])).toEqual([
    ['ISSUE', true],
    ['POST', false],
    ['FILE', true],
    ['SEND', true],
    ['NOT_FILED', false],
    ['CORRECT', false],
    ['WITHHOLD', false],
    ['FORM_1042_S', false],
  ]);
  expect(await customersOf('BACKUP_WITHHOLDING')).toEqual(ids('36'));
  expect(await customersOf('FORM_1042_S')).toEqual(ids('35'));
  expect(await customersOf('SAME_TAX_ID')).toEqual(ids('28', '29'));
  expect(await customersOf('POST')).not.toContain(bank.customers.get('39'));
  expect(await customersOf('CORRECTIONS')).toEqual(ids('39'));
  expect(await customersOf('FORMS')).toHaveLength(38);
}, 240_000);

test('corrections that took each other back are not due, alike in the list and in the files', async () => {
  const four = await TaxBank.open(gateway, [
    { key: '1', last: 'Back', taxId: '222222301', accounts: [[interest('20.00')]] },
    { key: '2', last: 'Stays', taxId: '222222302', accounts: [[interest('20.00')]] },
    { key: '3', last: 'Renumbered', taxId: '222222303', accounts: [[interest('20.00')]] },
    { key: '4', last: 'Takenback', taxId: '222222304', accounts: [[interest('20.00')]] },
  ]);
  const me = gateway.as(four.caller);
  const due = async (): Promise<string[]> => {
    const { body } = await me.rest.get(`/tax-years/${YEAR}/payees?list=CORRECTIONS`);
    const ids = new Set(body.payees.map(({ customerId }: { customerId: string }) => customerId));
    return [...four.customers].filter(([, id]) => ids.has(id)).map(([key]) => key);
  };
  const setTaxId = async (key: string, taxId: string) => {
    expect((await me.rest.patch(`/customers/${four.customers.get(key)}`, { taxId })).status).toBe(200);
  };
  await four.issue();
  const first = await four.file();
  await four.answer(idOf(first.files.get('1099-int-2026-original-1.xml') ?? ''), 'Accepted', 'R-1');

  for (const key of ['1', '2']) await four.postTo(key, 1, [interest('5.00', `${YEAR}-12-30`)]);
  await setTaxId('3', '333333303');
  await setTaxId('4', '333333304');
  await four.issue();
  expect(await due()).toEqual(['1', '2', '3', '4']);
  await four.postTo('1', 1, [interest('-5.00', `${YEAR}-12-30`)]);
  await setTaxId('3', '222222303');
  await four.issue();
  expect(await due()).toEqual(['2', '4']);
  const second = await four.file();
  expect(second.filings.map(({ kind, forms }) => [kind, forms])).toEqual([
    ['CORRECTION', 2],
    ['ORIGINAL', 1],
  ]);

  // What was filed of the fourth is taken back, and its new return is not accepted yet. So the first form is due again.
  const corrections = second.files.get('1099-int-2026-correction-1.xml') ?? '';
  await four.answer(idOf(corrections), 'Accepted', 'R-2');
  await setTaxId('4', '222222304');
  await four.issue();
  expect(await due()).toEqual(['4']);
  const original = second.files.get('1099-int-2026-original-1.xml') ?? '';
  await four.answer(idOf(original), 'Accepted', 'R-3');
  expect(await due()).toEqual(['4']);
  await four.postTo('2', 1, [interest('1.00', `${YEAR}-12-30`)]);
  await four.issue();
  await four.postTo('2', 1, [interest('-1.00', `${YEAR}-12-30`)]);
  await four.issue();
  expect(await due()).toEqual(['4']);
}, 240_000);

test('of two orders the later one takes the place of the earlier one, whose files nobody gets', async () => {
  const one = await TaxBank.open(gateway, [
    { key: '1', last: 'Quill', taxId: '222222401', accounts: [[interest('20.00')]] },
  ]);
  await one.issue();
  const [earlier, later] = [await one.file(), await one.file()];
  const [first = '', second = ''] = [earlier, later].map(({ filings }) => filings[0]?.filingId);
  expect(await one.written(first)).toMatchObject({ state: 'REPLACED' });
  await one.inside.writeAgain([first, second]);
  expect(await one.written(first)).toMatchObject({ state: 'REPLACED' });
  expect(await one.written(second)).toMatchObject({ state: 'EXPORTED' });
  const [replaced] = await one.filesOf(first);
  const { status, body } = await gateway.as(one.caller).rest.get(replaced?.downloadPath ?? '');
  expect([status, body.code]).toEqual([409, 'tax_filing_not_current']);
});

describe('files and answers over both APIs', () => {
  const TRANSMISSION = 'transmissions { downloadPath fileName status }';
  const START = `mutation ($input: StartTaxFilingInput!) { startTaxFiling(input: $input) { replayed taxFilings { filingId kind status } } }`;
  const ANSWER = `mutation ($input: AcknowledgeTaxFilingInput!) { acknowledgeTaxFiling(input: $input) { taxFiling { status ${TRANSMISSION} } } }`;
  const MARK = `mutation ($input: MarkTaxFilingInput!) { markTaxFiling(input: $input) { taxFiling { status ${TRANSMISSION} } } }`;
  let own: TaxBank;
  beforeAll(async () => {
    own = await TaxBank.open(gateway, [
      { key: '1', last: 'Quill', taxId: '222222501', accounts: [[interest('20.00')]] },
    ]);
    await own.issue();
  });

  test('GraphQL files, and takes what the IRS and its portal say; a retry files nothing twice', async () => {
    const me = gateway.as(own.caller);
    const order = { taxYear: YEAR, transmitter: TRANSMITTER };
    const start = () => me.graphql(START, { input: order }, { headers: keyed('file-once') });
    const { taxFilings } = (await start()).data.startTaxFiling;
    expect(taxFilings).toMatchObject([{ kind: 'ORIGINAL' }]);
    const [{ filingId }] = taxFilings;
    expect((await start()).data.startTaxFiling).toMatchObject({ replayed: true, taxFilings: [{ filingId }] });
    await own.written(filingId);

    const [{ fileName, downloadPath } = { fileName: '', downloadPath: '' }] = await own.filesOf(filingId);
    const download = await me.rest.get(downloadPath);
    expect(download.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    });
    const { rows } = await gateway.sql.query('SELECT size_bytes::int FROM tax_transmission WHERE filing_id = $1', [
      filingId,
    ]);
    expect(rows).toEqual([{ size_bytes: Buffer.byteLength(download.text) }]);
    expect((await me.rest.get(downloadPath)).text).toBe(download.text);
    await gateway.feedReady();
    const { data: events } = await me.graphql(
      '{ events(first: 10, filter: { types: ["tax_filing.downloaded"] }) { nodes { payload } } }',
    );
    expect(events.events.nodes).toMatchObject([{ payload: { filingId, part: 1 } }, { payload: { filingId, part: 1 } }]);

    const xml = `<ack><UniqueTransmissionId>${idOf(download.text)}</UniqueTransmissionId><TransmissionStatusCd>Rejected</TransmissionStatusCd></ack>`;
    const answer = { answer: Buffer.from(xml).toString('base64') };
    expect((await me.graphql(ANSWER, { input: answer })).data.acknowledgeTaxFiling.taxFiling).toMatchObject({
      status: 'REJECTED',
      transmissions: [{ status: 'REJECTED', downloadPath }],
    });
    const marked = await me.graphql(MARK, { input: { filingId, outcome: 'ACCEPTED', receiptId: 'R-1' } });
    expect(marked.data.markTaxFiling.taxFiling).toMatchObject({ status: 'ACCEPTED' });
    const outcome = await me.rest.post(`/tax-filings/${filingId}/outcome`, { outcome: 'SENT' });
    expect(outcome).toMatchObject({ status: 200, body: { filingId, state: 'SENT' } });
    const again = await me.rest.post('/tax-filings', order);
    expect([again.status, again.body.code]).toEqual([409, 'tax_filing_unanswered']);
  });

  test('what is no answer, and what is of nobody or another program, is refused with a reason', async () => {
    const { body } = await own.hand('<ack>');
    expect(body).toMatchObject({ code: 'rule_broken', errors: [{ pointer: '', code: 'format' }] });
    const unknown =
      '<ack><UniqueTransmissionId>x</UniqueTransmissionId><TransmissionStatusCd>Accepted</TransmissionStatusCd></ack>';
    expect(await own.hand(unknown)).toMatchObject({ status: 404, body: { code: 'tax_answer_unknown' } });
    const { files, filings } = await bankOfOne();
    const foreign = `<ack><UniqueTransmissionId>${idOf([...files.values()][0] ?? '')}</UniqueTransmissionId><TransmissionStatusCd>Accepted</TransmissionStatusCd></ack>`;
    expect(await own.hand(foreign)).toMatchObject({ status: 404, body: { code: 'tax_answer_unknown' } });
    const me = gateway.as(own.caller);
    const path = `/tax-filings/${filings[0]?.filingId}`;
    expect(await me.rest.get(`${path}/files/1`)).toMatchObject({ status: 404, body: { code: 'tax_filing_not_found' } });
    expect((await me.rest.post(`${path}/outcome`, { outcome: 'SENT' })).body.code).toBe('tax_filing_not_found');
    const reader = gateway.as(await gateway.caller({ program: own.program, scopes: ['operations.read'] }));
    expect((await reader.rest.get(`${path}/files/1`)).status).toBe(403);
  });

  test('an order that cannot be filed says all that is wrong with it', async () => {
    const me = gateway.as(own.caller);
    const post = async (order: object) => (await me.rest.post('/tax-filings', order)).body;
    expect(await post({ taxYear: YEAR })).toMatchObject({
      errors: [{ pointer: '/transmitter', code: 'alternatives' }],
    });
    expect(await post({ taxYear: 2019, transmitter: TRANSMITTER })).toMatchObject({
      errors: [{ pointer: '/taxYear' }],
    });
    const wrong = { ...TRANSMITTER, tcc: 'ABC', contact: { ...TRANSMITTER.contact, email: 'nobody' } };
    expect((await post({ taxYear: YEAR, transmitter: wrong })).errors).toMatchObject([
      { pointer: '/transmitter/contact/email' },
      { pointer: '/transmitter/tcc' },
    ]);
    const lacking = gateway.as(await gateway.caller({ program: gateway.given.program(), scopes: USUAL_SCOPES }));
    const { body } = await lacking.rest.post('/tax-filings', { taxYear: YEAR, transmitter: TRANSMITTER });
    expect(body).toMatchObject({ code: 'program_incomplete', detail: expect.stringContaining('payer.taxId') });
  });

  test('where documents need an approval, returns are filed when somebody else approves', async () => {
    const other = await TaxBank.open(gateway, [
      { key: '1', last: 'Quill', taxId: '222222601', accounts: [[interest('20.00')]] },
    ]);
    await other.issue();
    await gateway.given.programRecord(other.program, {
      payer: { ...PROGRAM.payer, name: 'The Harbor Example Bank, N.A.' },
      approvals: { documents: true },
    });
    const me = gateway.as(other.caller);
    const order = { taxYear: YEAR, transmitter: TRANSMITTER };
    const waiting = await me.rest.post('/tax-filings', order, keyed('waits'));
    expect([waiting.status, waiting.headers['location']]).toEqual([202, `/approvals/${waiting.body.approvalId}`]);
    const approver = gateway.as(
      await gateway.caller({ program: other.program, scopes: ['approvals', 'operations.read'], subject: 'approver' }),
    );
    const { approvalId } = waiting.body;
    expect((await approver.rest.post(`/approvals/${approvalId}/approve`, {})).status).toBe(200);
    const { body } = await me.rest.post('/tax-filings', order, keyed('waits'));
    expect(await other.written(body.taxFilings[0].filingId)).toMatchObject({ state: 'EXPORTED', forms: 1 });
  });
});

/** Files one return of another program. */
async function bankOfOne() {
  const other = await TaxBank.open(gateway, [
    { key: '1', last: 'Quill', taxId: '222222701', accounts: [[interest('20.00')]] },
  ]);
  await other.issue();
  return other.file();
}
