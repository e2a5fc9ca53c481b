import { type StatementContent } from '../statement.content.js';

/** What the kinds of accounts are called on a statement. */
export const ACCOUNT_TYPES: Readonly<Record<StatementContent['account']['type'], string>> = {
  CHECKING: 'Checking account',
  SAVINGS: 'Savings account',
  MONEY_MARKET: 'Money market account',
  CD: 'Certificate of deposit',
};

const ABBREVIATIONS: ReadonlySet<string> = new Set(['ACH', 'ATM', 'POS', 'NSF', 'SEPA', 'RTP']);
// Codes whose words are not told apart.
const KINDS: Readonly<Record<string, string>> = { DIRECTDEPOSIT: 'Direct deposit', DIRECTDEBIT: 'Direct debit' };

/** The kind of a transaction as people write it: `ACH_CREDIT` is `ACH credit`. What is not such a word stays as it is. */
export function kindOf(transactionType: string): string {
  const known = KINDS[transactionType];
  if (known !== undefined) return known;
  if (!/^[A-Z][A-Z0-9_]*$/.test(transactionType)) return transactionType;
  const words = transactionType.split('_').map(word => (ABBREVIATIONS.has(word) ? word : word.toLowerCase()));
  const kind = words.join(' ');
  return kind[0]!.toUpperCase() + kind.slice(1);
}
