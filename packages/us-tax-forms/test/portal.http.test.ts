import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { TEMPLATE, TaxBank, interest, type Payee } from './bank.js';

const PAYEES: readonly Payee[] = [
  { key: '1', last: 'Quill', taxId: '222222201', accounts: [[interest('12.34')]] },
  {
    key: '2',
    first: '',
    last: 'Quill, Sons & Co',
    taxId: '222222202',
    changes: {
      addresses: [{ line1: 'Gasse 1', city: 'Wien', postalCode: '1010', country: 'AT', type: 'HOME' }],
    },
    accounts: [[interest('56.78')]],
  },
  { key: '3', last: 'Visitor', taxId: '900-70-0003', accounts: [[interest('20.00')]] },
  {
    key: '4',
    last: 'Adopted',
    taxId: '900-93-0004',
    changes: {
      addresses: [
        { line1: '1 Elm Street', city: "St. John's", state: 'IL', postalCode: '62704', country: 'US', type: 'HOME' },
      ],
    },
    accounts: [[interest('30.00')]],
  },
];

let gateway: TestGateway;
let bank: TaxBank;
beforeAll(async () => {
  gateway = await startTestGateway({});
  bank = await TaxBank.open(gateway, PAYEES);
  await bank.issue();
});
afterAll(() => gateway.stop());

test('the portal gets the columns of its template, byte for byte', async () => {
  const { files, filings } = await bank.file({ template: TEMPLATE });
  expect(filings).toMatchObject([{ kind: 'ORIGINAL', forms: 4 }]);
  const payer =
    '1099-INT,2026,EIN,123456789,B,The Harbor Example Bank N A,2 Quay Street,Port Ambergill,OR,97000,5035550101';
  expect(files.get('1099-int-2026-original-1.csv')).toBe(
    `${TEMPLATE}${payer},SSN,222222201,I,Ada,Quill,,US,1 Elm Street,Springfield,IL,62704,${bank.accountId('1')},12.34,0.00,,0.00\r\n` +
      `${payer},EIN,222222202,B,,,Quill Sons & Co,AU,Gasse 1,Wien,,1010,${bank.accountId('2')},56.78,0.00,,0.00\r\n` +
      `${payer},ITIN,900700003,I,Ada,Visitor,,US,1 Elm Street,Springfield,IL,62704,${bank.accountId('3')},20.00,0.00,,0.00\r\n` +
      `${payer},ATIN,900930004,I,Ada,Adopted,,US,1 Elm Street,St Johns,IL,62704,${bank.accountId('4')},30.00,0.00,,0.00\r\n`,
  );
});

test('a template with a column that nobody knows is refused by its name, and so is one that lacks a box', async () => {
  const strange = TEMPLATE.replace('Form Account Number', 'Form Account Number,Favourite Colour');
  await expect(bank.file({ template: strange })).rejects.toThrow('Favourite Colour');
  const short = TEMPLATE.replace(',Box 4 - Federal income tax withheld', '');
  await expect(bank.file({ template: short })).rejects.toThrow('Box 4 - Federal income tax withheld');
  await expect(bank.file({ template: 'a,b,c\r\n' })).rejects.toThrow('is not a template');
});

test('a file has as many forms as the portal takes, and XML as many bytes as IRIS takes; their sums are those of all', async () => {
  const csv = await bank.file({ template: TEMPLATE, limits: { portalForms: 1 } });
  const amounts = ['12.34', '56.78', '20.00', '30.00'];
  expect([...csv.files.keys()]).toEqual(amounts.map((_, index) => `1099-int-2026-original-${index + 1}.csv`));
  expect([...csv.files.values()].map(text => /,(12.34|56.78|20.00|30.00),/.exec(text)?.[1])).toEqual(amounts);

  const xml = await bank.file({ limits: { partBytes: 65_536 + 1000 } });
  const sums = [...xml.files.values()].map(text => /<TotalReportedAmt>([^<]+)/.exec(text)?.[1]);
  expect(sums).toEqual(amounts);
  const query = `query ($id: ID!) { taxFiling(filingId: $id) { forms: formCount interest transmissions { part forms: formCount } returns { nodes { part recordId } } } }`;
  const { data } = await gateway.as(bank.caller).graphql(query, { id: xml.filings[0]?.filingId });
  expect(data.taxFiling).toEqual({
    forms: 4,
    interest: '119.12',
    transmissions: [1, 2, 3, 4].map(part => ({ part, forms: 1 })),
    returns: { nodes: [1, 2, 3, 4].map(part => ({ part, recordId: 1 })) },
  });
});
