/** The pictures of documents in docs/images: pages of PDFs as poppler's `pdftoppm` draws them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Issuer, Logo, StatementEntry } from '../../src/bank/statement/statement.content.js';
import { aStatement, aTaxForm, pdfOf, taxFormPdf } from '../statement/pdf/contents.js';

const DOTS_PER_INCH = 110;

/** A lighthouse. */
const LOGO: Logo = {
  svgPath:
    'M32 4A28 28 0 1 1 32 60A28 28 0 1 1 32 4zM29 13h6v-3h-6zM26.500 16l-1 8h13l-1-8zM25 27l-1.500 13h17l-1.500-13zM23 43l-.7 7h19.400l-.7-7z',
  viewBox: [4, 4, 56, 56],
  color: '#0f3d5c',
};

const ISSUER: Issuer = {
  name: 'First Harbor Bank',
  addressLines: ['400 Quay Street', 'Portland, ME 04101'],
  telephone: '+1 207 555 0142',
  errorResolution: {
    telephone: '+1 207 555 0143',
    email: 'errors@firstharbor.example',
    addressLines: ['P.O. Box 118', 'Portland, ME 04104'],
  },
};

const FEES = {
  fees: {
    items: [
      { description: 'Out-of-network ATM fee', count: 2, amount: '6.00' },
      { description: 'Overdraft fee', count: 2, amount: '60.00' },
    ],
    total: '66.00',
    totalYearToDate: '213.00',
  },
  overdraft: {
    fees: { period: '60.00', yearToDate: '150.00' },
    returnedItemFees: { period: '0.00', yearToDate: '30.00' },
  },
};

const statement = (): Buffer => pdfOf(aStatement({ entries: 30, issuer: ISSUER, ...FEES }), LOGO);

/** The file and the page of each picture. */
const PICTURES: Record<string, { readonly make: () => Buffer; readonly page: number }> = {
  statement: { make: statement, page: 1 },
  'statement-continued': { make: statement, page: 2 },
  'statement-in-yen': { make: () => pdfOf(inYen(), LOGO), page: 1 },
  'form-1099-int': {
    make: () => {
      const { recipient } = aTaxForm();
      const correctedStatementId = '7b1d2f30-8a54-4c6f-9f0e-8a1d2c3b4e5f';
      return taxFormPdf(aTaxForm({ correctedStatementId, recipient: { ...recipient, taxId: 'XXX-XX-4417' } }));
    },
    page: 1,
  },
};

export const DOCUMENT_PICTURES: readonly string[] = Object.keys(PICTURES);

export async function takeDocumentPicture(name: string, folder: string): Promise<void> {
  const { make, page } = PICTURES[name]!;
  const options = ['-r', DOTS_PER_INCH, '-f', page, '-l', page, '-png', '-singlefile', '-'].map(String);
  const pdftoppm = spawn('pdftoppm', [...options, `${folder}/${name}`], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(pdftoppm, 'exit');
  pdftoppm.stdin.end(make());
  const [status] = await ended;
  if (status !== 0) throw new Error('pdftoppm could not draw a document.');
}

function inYen(): ReturnType<typeof aStatement> {
  const lines: [day: string, description: string, type: string, amount: number][] = [
    ['05', '家賃 十月分', 'TRANSFER', -98_000],
    ['09', 'さくら電気料金', 'DIRECTDEBIT', -8_420],
    ['15', 'コンビニエンスストア 渋谷店', 'CARD_PURCHASE', -1_280],
    ['20', 'تحويل من محمد الأحمد', 'TRANSFER', 25_000],
    ['23', '給与 株式会社北風', 'DIRECTDEPOSIT', 286_500],
    ['26', '東京ガス', 'DIRECTDEBIT', -4_310],
    ['31', 'Interest', 'INTEREST', 12],
  ];
  let balance = 64_000;
  const entries = lines.map(([day, description, transactionType, amount]): StatementEntry => {
    balance += amount;
    return {
      transactionId: `yen-${day}`,
      postedOn: `2026-10-${day}`,
      description,
      transactionType,
      direction: amount < 0 ? 'DEBIT' : 'CREDIT',
      amount: String(Math.abs(amount)),
      balance: String(balance),
    };
  });
  return {
    ...aStatement({ entries, issuer: { ...ISSUER, errorResolution: null } }),
    account: { number: '*****0142', type: 'SAVINGS', currency: 'JPY', timeZone: 'Asia/Tokyo' },
    owners: ['山田 花子', 'محمد الأحمد'],
    addressLines: ['東京都渋谷区神南 1-2-3', '150-0041, Japan'],
    openingBalance: '64000',
    closingBalance: String(balance),
    credits: { count: 3, amount: '311512' },
    debits: { count: 4, amount: '112010' },
    fees: { items: [], total: '0', totalYearToDate: '0' },
    interest: {
      paid: '12',
      paidYearToDate: '96',
      averageDailyBalance: '71032',
      annualPercentageYieldEarned: '0.20',
    },
  };
}
