import type { KeptTaxForm, StatementContent } from '../../src/bank/statement/statement.content.js';

const ISSUER = { name: 'Harbor Bank', addressLines: ['1 Quay Street', 'Portland, ME 04101'], telephone: null };

/** What a monthly statement says: two entries of May. */
export function statementContent(statementId: string, changes: Partial<StatementContent> = {}): StatementContent {
  return {
    statementId,
    issuer: ISSUER,
    account: { number: '****4242', type: 'CHECKING', currency: 'USD', timeZone: 'America/New_York' },
    owners: ['Marisol Whitcombe'],
    addressLines: ['12 Lantern Hill Road', 'Brunswick, ME 04011'],
    period: { start: '2026-05-01', end: '2026-05-31', days: 31 },
    issuedOn: '2026-06-01',
    openingBalance: '100.00',
    closingBalance: '1338.00',
    credits: { count: 1, amount: '1250.00' },
    debits: { count: 1, amount: '12.00' },
    fees: { items: [{ description: 'Maintenance', count: 1, amount: '12.00' }], total: '12.00' },
    interest: {
      paid: '0.00',
      paidYearToDate: '1.10',
      averageDailyBalance: '700.10',
      annualPercentageYieldEarned: null,
    },
    entries: [
      {
        transactionId: 'wages-1',
        postedOn: '2026-05-15',
        description: 'Wages, "May" — Zürich',
        transactionType: 'DIRECTDEPOSIT',
        direction: 'CREDIT',
        amount: '1250.00',
        balance: '1350.00',
      },
      {
        transactionId: 'fee-1',
        postedOn: '2026-05-31',
        description: 'Maintenance',
        transactionType: 'FEE',
        direction: 'DEBIT',
        amount: '12.00',
        balance: '1338.00',
      },
    ],
    ...changes,
  };
}

/** What a Form 1099-INT says: interest, tax withheld, and a box of each kind of text. */
export function taxFormContent(statementId: string, changes: Partial<KeptTaxForm> = {}): KeptTaxForm {
  return {
    statementId,
    taxYear: 2025,
    correctedStatementId: null,
    issuedOn: '2026-01-15',
    payer: { ...ISSUER, taxId: '01-7654321' },
    recipient: { name: 'Marisol Whitcombe', taxId: '***-**-4417', addressLines: ['12 Lantern Hill Road'] },
    accountNumber: '****4242',
    currency: 'USD',
    boxes: { 1: '1234.50', 4: '0.10', 7: 'Portugal', 15: 'ME', 16: '0042' },
    irsReportable: true,
    ...changes,
  };
}

/** A plain PDF of one empty page that says `text` in a comment on it, of at least so many bytes. */
export function pdfOf(text = 'A statement', sizeBytes = 0, trailer = ''): Buffer {
  const parts = ['%PDF-1.7\n'];
  const size = () => parts.reduce((sum, part) => sum + part.length, 0);
  const page = `% ${text.replace(/[^\x20-\x7e]/g, '?')}\n`;
  const content = page + ' '.repeat(Math.max(0, sizeBytes - 650 - page.length));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  const offsets = objects.map((object, index) => {
    const offset = size();
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`);
    return offset;
  });
  const start = size();
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`);
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`);
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}
