import { Random } from '../../packages/sandbox/src/demo/random.js';

const CURRENCIES = ['USD', 'JPY', 'BHD', 'EUR'] as const;
const TEXTS = [
  'Coffee, "large"',
  'Łódź & <Söhne> 東京',
  '=1+1',
  'x'.repeat(300),
  'a/b,c',
  'Wages',
  ' ',
  'مرحبا 😀',
] as const;
const TYPES = ['FEE', 'INTEREST', 'DIRECTDEPOSIT', 'DIRECTDEBIT', 'ATMWITHDRAWAL', 'SOMETHING-OF-THEIR-OWN'] as const;
const SIDES = ['CREDIT', 'DEBIT', 'DEBIT', 'MEMO'] as const;
const ZONES = ['America/New_York', 'Asia/Tokyo', 'UTC'] as const;
const STATUSES = ['POSTED', 'POSTED', 'POSTED', 'PENDING'] as const;
const ENTRIES = 40;
const DAY_MINUTES = 24 * 60;

const OWNER = {
  customerId: '5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60',
  name: {
    first: 'Ada',
    middle: 'K',
    last: 'Łodz-東京 & Söhne',
  },
  taxId: '900-00-4321',
  taxIdCountry: 'US',
  governmentId: 'X1234567',
  dateOfBirth: '1970-02-03',
  contact: {
    email: [],
    telephones: [],
  },
  addresses: [],
};

/** Records of accounts with entries around a month, of many currencies, kinds and texts. */
export function inventAccounts(
  count: number,
  month: string,
): Record<'customers' | 'accounts' | 'transactions', object[]> {
  const random = new Random(7);
  const pick = <Value>(values: readonly Value[]): Value => values[random.between(0, values.length - 1)] as Value;
  const accounts = Array.from({ length: count }, (_, number) => ({
    accountId: `made-${number}`,
    accountType: 'CHECKING',
    currency: CURRENCIES[number % CURRENCIES.length],
    timeZone: pick(ZONES),
    interestBearing: true,
    openedOn: '2020-01-01',
    owners: [OWNER.customerId],
  }));
  const transactionOf = (accountId: string, index: number): object => {
    const ms = Date.parse(`${month}-01T00:00:00Z`) + random.between(-10 * DAY_MINUTES, 50 * DAY_MINUTES) * 60_000;
    const instant = new Date(ms).toISOString();
    return {
      transactionId: `t-${index}`,
      accountId,
      amount: random.between(0, 1e6),
      status: pick(STATUSES),
      debitCreditMemo: pick(SIDES),
      category: 'OTHER',
      transactionType: pick(TYPES),
      description: pick(TEXTS),
      memo: pick(TEXTS),
      transactionTimestamp: instant,
      postedTimestamp: instant,
    };
  };
  const transactions = accounts.flatMap(({ accountId }) =>
    Array.from({ length: ENTRIES }, (_, index) => ({ depositTransaction: transactionOf(accountId, index) })),
  );
  return { customers: [OWNER], accounts, transactions };
}
