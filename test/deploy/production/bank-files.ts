/** What a bank with one customer brings: settings of its program, and records as a spreadsheet writes them. */
export const PROGRAM = `harbor:
  name: Harbor
  letterhead: { name: Harbor Bank, addressLines: [1 Quay Street, 'Port Ambergill, OR 00115'], telephone: +1 503 555 0100 }
  errorResolution: { telephone: +1 503 555 0100, addressLines: [1 Quay Street] }
  clients: [backend]
  approvals: { changingOwners: true }
  transfers: { customersTo: OWN, limits: [{ currency: USD, perDay: '5000.00' }] }
`;

interface BankFile {
  readonly kind: 'customers' | 'accounts' | 'transactions';
  readonly csv: string;
  readonly map: string;
}

export const ACCOUNT = 'harbor-1';
export const MONTH = '2026-09';
const CUSTOMER = '5f1c8a52-6f0e-4c0b-9d55-0c8f0f6f2f31';

export const FILES: readonly BankFile[] = [
  {
    kind: 'customers',
    csv: `No;First;Last;Born;City\n${CUSTOMER};Inès;Falkenrath;3.2.1970;Port Ambergill\n`,
    map: `dates: D.M.YYYY
fields:
  - { field: customerId, column: No }
  - { field: name.first, column: First }
  - { field: name.last, column: Last }
  - { field: dateOfBirth, column: Born }
  - { field: addresses.0.city, column: City }
  - { field: addresses.0.line1, default: 1 Quay Street }
  - { field: addresses.0.country, default: US }
  - { field: addresses.0.type, default: HOME }
`,
  },
  {
    kind: 'accounts',
    csv: `Account;Type;Owner\n${ACCOUNT};CHK;${CUSTOMER}\n`,
    map: `fields:
  - { field: accountId, column: Account }
  - { field: accountType, column: Type, words: [{ cell: CHK, is: CHECKING }] }
  - { field: owners, column: Owner }
  - { field: currency, default: USD }
  - { field: timeZone, default: America/New_York }
  - { field: interestBearing, default: false }
  - { field: openedOn, default: 2026-01-02 }
`,
  },
  {
    kind: 'transactions',
    csv: `Id;Date;Amount;Side\n1;9/5/2026;1,250.00;C\n2;9/6/2026;80.10;D\n`,
    map: `dates: M/D/YYYY
amounts: 1,234.56
timeZone: America/New_York
fields:
  - { field: transactionId, column: Id }
  - { field: transactionTimestamp, column: Date }
  - { field: postedTimestamp, column: Date }
  - { field: amount, column: Amount }
  - { field: debitCreditMemo, column: Side, words: [{ cell: C, is: CREDIT }, { cell: D, is: DEBIT }] }
  - { field: accountId, default: ${ACCOUNT} }
  - { field: category, default: ACH }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
`,
  },
];
