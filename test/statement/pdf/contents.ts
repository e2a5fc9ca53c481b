import {
  type AccountContent,
  type Logo,
  type StatementContent,
  type StatementEntry,
  type TaxFormContent,
} from '../../../src/bank/statement/statement.content.js';
import { layout as reportLayout } from '../../../src/bank/statement/pdf/report.layout.js';
import { layout } from '../../../src/bank/statement/pdf/statement.layout.js';
import { layout as taxFormLayout } from '../../../packages/us-tax-forms/src/layout/tax-form.layout.js';

const SHOPS = [
  'Corner bakery',
  'City transit pass',
  'Electric company',
  'Book shop on Elm Street',
  'Payroll Northwind Traders',
  'Grocery market 118',
];

/** As long as addresses come in practice: each line but the name is wider than the window of an envelope. */
export const LONG_ADDRESS = {
  owners: ['Wilhelmina Konstantinopolska'],
  addressLines: [
    'Residential Quarter at the Old Harbour Cooperative, Building 17',
    'Staircase C, fourth floor, left wing, Apartment 4B at the rear court',
    'Care of the Estate of Bartholomew and Theodora Featherstonehaugh',
    'Llanfairpwllgwyngyll, Isle of Anglesey LL61 5UJ, United Kingdom',
  ],
};

interface ContentChanges extends Partial<Omit<StatementContent, 'entries' | 'account'>> {
  readonly account?: Partial<StatementContent['account']>;
  /** Either the entries themselves, or how many to make up. */
  readonly entries?: number | readonly StatementEntry[];
}

/** A statement of October with so many entries, every one of which is told apart by its amount. */
export function aStatement({ account, entries = 5, ...wanted }: ContentChanges = {}): StatementContent {
  const rows = typeof entries === 'number' ? madeUp(entries, 2_500_00) : entries;
  const credits = rows.filter(entry => entry.direction === 'CREDIT');
  const debits = rows.filter(entry => entry.direction === 'DEBIT');
  return {
    statementId: '5f0c1c52-6d0e-4b57-9a43-2f7a8f1d3b10',
    issuer: {
      name: 'First Harbor Bank',
      addressLines: ['400 Quay Street', 'Portland, ME 04101'],
      telephone: '+1 207 555 0142',
    },
    account: { number: '••••••7731', type: 'CHECKING', currency: 'USD', timeZone: 'America/New_York', ...account },
    owners: ['Marisol Whitcombe', 'Theodore Whitcombe'],
    addressLines: ['12 Lantern Hill Road', 'Apartment 4B', 'Brunswick, ME 04011'],
    period: { start: '2026-10-01', end: '2026-10-31', days: 31 },
    issuedOn: '2026-11-01',
    openingBalance: '2500.00',
    closingBalance: rows.at(-1)?.balance ?? '2500.00',
    credits: { count: credits.length, amount: sum(credits) },
    debits: { count: debits.length, amount: sum(debits) },
    fees: {
      items: [
        { description: 'Out-of-network ATM fee', count: 2, amount: '6.00' },
        { description: 'Monthly maintenance fee', count: 1, amount: '12.00' },
      ],
      total: '18.00',
      totalYearToDate: '96.00',
    },
    interest: {
      paid: '1.27',
      paidYearToDate: '11.94',
      averageDailyBalance: '2987.45',
      annualPercentageYieldEarned: '0.50',
    },
    ...wanted,
    entries: rows,
  };
}

/** A statement as PDF. */
export function pdfOf(content: StatementContent, logo: Logo | null = null): Buffer {
  return layout(content, logo).finish();
}

/** A report of days as PDF. */
export function reportPdf(content: AccountContent): Buffer {
  return reportLayout({ ...content, reportId: '7a3cbdf7', asOf: content.period.end }, null).finish();
}

/** A Form 1099-INT as PDF. */
export function taxFormPdf(content: TaxFormContent): Buffer {
  return taxFormLayout(content).finish();
}

/** A first Form 1099-INT of a year. */
export function aTaxForm(wanted: Partial<TaxFormContent> = {}): TaxFormContent {
  return {
    statementId: '0c9f9a8e-5a64-4c6f-8f0e-8a1d2c3b4e5f',
    taxYear: 2026,
    correctedStatementId: null,
    issuedOn: '2027-01-15',
    payer: {
      name: 'First Harbor Bank',
      addressLines: ['400 Quay Street', 'Portland, ME 04101'],
      telephone: '+1 207 555 0142',
      taxId: '01-7654321',
    },
    recipient: {
      name: 'Marisol Whitcombe',
      taxId: '***-**-4417',
      addressLines: ['12 Lantern Hill Road', 'Apartment 4B', 'Brunswick, ME 04011'],
    },
    accountNumber: '••••••7731',
    currency: 'USD',
    boxes: { 1: '1234.56', 4: '0.00' },
    irsReportable: true,
    ...wanted,
  };
}

function madeUp(count: number, openingMinor: number): StatementEntry[] {
  let balanceMinor = openingMinor;
  return Array.from({ length: count }, (_, index) => {
    const isCredit = index % 7 === 4;
    const amountMinor = isCredit ? 1_850_00 + index : 11_00 + index * 37;
    balanceMinor += isCredit ? amountMinor : -amountMinor;
    return {
      transactionId: `txn-${String(index).padStart(5, '0')}`,
      postedOn: `2026-10-${String(1 + Math.floor((index * 31) / count)).padStart(2, '0')}`,
      description: `${SHOPS[index % SHOPS.length]} no. ${index + 1}`,
      transactionType: isCredit ? 'ACH_CREDIT' : 'CARD_PURCHASE',
      direction: isCredit ? 'CREDIT' : 'DEBIT',
      amount: decimal(amountMinor),
      balance: decimal(balanceMinor),
    };
  });
}

function sum(entries: readonly StatementEntry[]): string {
  return decimal(entries.reduce((total, entry) => total + Math.round(Number(entry.amount) * 100), 0));
}

function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
