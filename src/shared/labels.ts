/** The usual writing of words that are more than a capital letter and small ones. */
const WRITTEN: Readonly<Record<string, string>> = {
  ACH: 'ACH',
  ATM: 'ATM',
  POS: 'POS',
  NSF: 'NSF',
  SEPA: 'SEPA',
  RTP: 'RTP',
  CD: 'CD',
  IRA: 'IRA',
  IRS: 'IRS',
  P2P: 'P2P',
  A2A: 'A2A',
  FX: 'FX',
  ID: 'ID',
  EFT: 'EFT',
  FEDNOW: 'FedNow',
  SWIFT: 'SWIFT',
  US: 'US',
};

/** Types that are not merely the words that they are made of. */
const LABELS: Readonly<Record<string, string>> = {
  FEDERALTAXWITHHELD: 'Federal tax withheld',
  STATETAXWITHHELD: 'State tax withheld',
  P2P: 'P2P payment',
  EARLYWITHDRAWALPENALTY: 'Early withdrawal penalty',
  OTHER: 'Other',
  XFER: 'Transfer',
  BILLPAY: 'Bill payment',
  RETURNEDITEM: 'Returned item',
  POSDEBIT: 'POS purchase',
  POSCREDIT: 'POS refund',
};

// The words of the types of FDX, which stand there without a mark between them.
const WORDS: readonly string[] = [
  ...Object.keys(WRITTEN),
  'ACCOUNT',
  'ADJUSTMENT',
  'ADVANCE',
  'AUTOMATIC',
  'BALANCE',
  'BANK',
  'BILL',
  'BONUS',
  'CARD',
  'CASH',
  'CASHBACK',
  'CHARGE',
  'CHARGEBACK',
  'CHECK',
  'CLOSING',
  'CREDIT',
  'DEBIT',
  'DEPOSIT',
  'DIRECT',
  'DIVIDEND',
  'EARLY',
  'EXTERNAL',
  'FEDERAL',
  'FEE',
  'FEES',
  'FOREIGN',
  'FROM',
  'FUNDS',
  'INCOMING',
  'INSTANT',
  'INTEREST',
  'INTERNAL',
  'INTERNATIONAL',
  'ITEM',
  'LATE',
  'LOAN',
  'MAINTENANCE',
  'MOBILE',
  'MONTHLY',
  'ONLINE',
  'OPENING',
  'ORDER',
  'OUTGOING',
  'OVERDRAFT',
  'PAID',
  'PAYMENT',
  'PAYROLL',
  'PENALTY',
  'PURCHASE',
  'REAL',
  'REFUND',
  'REPAYMENT',
  'RETURN',
  'RETURNED',
  'REVERSAL',
  'REWARD',
  'SERVICE',
  'STANDING',
  'STATE',
  'STOP',
  'TAX',
  'TELLER',
  'TIME',
  'TO',
  'TRANSACTION',
  'TRANSFER',
  'UNPAID',
  'WIRE',
  'WITHDRAWAL',
  'WITHHELD',
  'WITHHOLDING',
];

/**
 * The type or the category of a transaction as people write it: `INCOMINGWIRE` is `Incoming wire`, and `ACH_CREDIT` is
 * `ACH credit`. Types are an open set: one that is not made of known words has a capital letter and small ones, and one
 * that is not written in capitals stays as it is.
 */
export function labelOf(code: string): string {
  if (Object.hasOwn(LABELS, code)) return LABELS[code] as string;
  if (!/^[A-Z][A-Z0-9]*([_-]+[A-Z0-9]+)*$/.test(code)) return code;
  const words = code.split(/[_-]+/).flatMap(part => wordsOf(part) ?? [part]);
  const [first = '', ...others] = words.map(word =>
    Object.hasOwn(WRITTEN, word) ? WRITTEN[word] : word.toLowerCase(),
  );
  return [first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join(' ');
}

/** The longest codes that are told apart; longer ones stay one word. */
const MAX_CODE = 60;

/** The fewest known words that a code is made of, or null. */
function wordsOf(code: string): string[] | null {
  if (code.length > MAX_CODE) return null;
  const best: (string[] | null)[] = [[]];
  for (let end = 1; end <= code.length; end += 1) {
    const ways = WORDS.filter(word => code.endsWith(word, end)).flatMap(word => {
      const before = best[end - word.length];
      return before ? [[...before, word]] : [];
    });
    best[end] = ways.toSorted((one, other) => one.length - other.length)[0] ?? null;
  }
  return best[code.length] ?? null;
}
