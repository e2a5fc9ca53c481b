import type { FieldCode } from '../../shared/field-problems.js';
import { MAX_AMOUNT_MINOR, decimalOf, minorOf, shortDecimal } from '../../shared/money.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import type { CurrencyLimits, TransferRules } from '../../shared/transfer-rules.js';
import type { AccountLimit, TransferLimitsView } from './limit.entity.js';
import { LimitExceeded } from './limit.errors.js';

/** The limits of one account, in minor units of its currency; null where there is none. */
export type Limits = Readonly<Omit<AccountLimit, 'accountId' | 'version'>>;

/** The amounts that count against the limits of an account, in minor units. */
export interface LimitUse {
  readonly todayMinor: bigint;
  readonly transfersToday: number;
  readonly days30Minor: bigint;
  readonly cardHoldsTodayMinor: bigint;
}

/** The facts that decide on the limits of an account. */
export interface LimitFacts {
  /** The rules of its program for transfers, or null. */
  readonly rules: TransferRules | null;
  /** Those of the account alone; null where it has none. */
  readonly own: Limits | null;
  /** Counts the changes of those; 0 where the account never had any. */
  readonly version: number;
  readonly use: LimitUse;
}

export const NO_LIMITS: Limits = {
  perTransferMinor: null,
  perDayMinor: null,
  per30DaysMinor: null,
  transfersPerDay: null,
  cardHoldsPerDayMinor: null,
};
export const NO_USE: LimitUse = { todayMinor: 0n, transfersToday: 0, days30Minor: 0n, cardHoldsTodayMinor: 0n };

/** The limits that hold for an account: each one its own, or that of its program. */
export function limitsOf({ rules, own }: Pick<LimitFacts, 'rules' | 'own'>, currency: string): Limits {
  const of = rules?.limits.find(one => one.currency === currency);
  return {
    perTransferMinor: own?.perTransferMinor ?? minor(of, 'perTransfer'),
    perDayMinor: own?.perDayMinor ?? minor(of, 'perDay'),
    per30DaysMinor: own?.per30DaysMinor ?? minor(of, 'per30Days'),
    transfersPerDay: own?.transfersPerDay ?? of?.transfersPerDay ?? null,
    cardHoldsPerDayMinor: own?.cardHoldsPerDayMinor ?? minor(of, 'cardHoldsPerDay'),
  };
}

type Amount = 'perTransfer' | 'perDay' | 'per30Days' | 'cardHoldsPerDay';

function minor(of: CurrencyLimits | undefined, name: Amount): bigint | null {
  const limit = of?.[name] ?? null;
  return of && limit !== null ? minorOf(limit, of.currency) : null;
}

/** Throws `LimitExceeded`, which names every limit that a transfer of this amount is beyond. */
export function mustBeWithinLimits(facts: LimitFacts, currency: string, amountMinor: bigint): void {
  const { perTransferMinor, perDayMinor, per30DaysMinor, transfersPerDay } = limitsOf(facts, currency);
  const { todayMinor, transfersToday, days30Minor } = facts.use;
  const amount = (of: bigint) => `${decimalOf(of, currency)} ${currency}`;
  const problems: FieldProblem[] = [];
  const add = (code: FieldCode, detail: string) => problems.push({ pointer: '/amount', code, detail });
  if (perTransferMinor !== null && amountMinor > perTransferMinor) {
    add('per_transfer', `One transfer from this account may be at most ${amount(perTransferMinor)}.`);
  }
  if (perDayMinor !== null && todayMinor + amountMinor > perDayMinor) {
    const left = amount(leftOf(perDayMinor, todayMinor));
    add('per_day', `Transfers from this account may be ${amount(perDayMinor)} a day, of which ${left} are left today.`);
  }
  if (per30DaysMinor !== null && days30Minor + amountMinor > per30DaysMinor) {
    const left = amount(leftOf(per30DaysMinor, days30Minor));
    add(
      'per_30_days',
      `Transfers from this account may be ${amount(per30DaysMinor)} in 30 days, of which ${left} are left today.`,
    );
  }
  if (transfersPerDay !== null && transfersToday >= transfersPerDay) {
    add(
      'transfers_per_day',
      `There may be ${transfersPerDay} transfers from this account a day, and 0 are left today.`,
    );
  }
  const [first, ...others] = problems;
  if (first) throw new LimitExceeded([first, ...others]);
}

/** Throws `LimitExceeded` if a new hold of a card is beyond the limit for these. */
export function mustBeWithinCardLimit(facts: LimitFacts, currency: string, amountMinor: bigint): void {
  const { cardHoldsPerDayMinor: limit } = limitsOf(facts, currency);
  const used = facts.use.cardHoldsTodayMinor;
  if (limit === null || used + amountMinor <= limit) return;
  const amount = (of: bigint) => `${decimalOf(of, currency)} ${currency}`;
  const detail = `Holds of cards on this account may be ${amount(limit)} a day, of which ${amount(leftOf(limit, used))} are left today.`;
  throw new LimitExceeded([{ pointer: '/amount', code: 'card_holds_per_day', detail }]);
}

/** Adds a transfer to what counts. */
export function usedBy(use: LimitUse, amountMinor: bigint): LimitUse {
  return {
    ...use,
    todayMinor: use.todayMinor + amountMinor,
    transfersToday: use.transfersToday + 1,
    days30Minor: use.days30Minor + amountMinor,
  };
}

function leftOf(limit: bigint, used: bigint): bigint {
  return used > limit ? 0n : limit - used;
}

/** The limits of an account as they are shown. */
export function shownLimits(accountId: string, currency: string, facts: LimitFacts): TransferLimitsView {
  const limits = limitsOf(facts, currency);
  const { use } = facts;
  const amount = (of: bigint | null) => (of === null ? null : decimalOf(of, currency));
  const left = (limit: bigint | null, used: bigint) => (limit === null ? null : amount(leftOf(limit, used)));
  return {
    accountId,
    currency,
    version: facts.version,
    perTransfer: amount(limits.perTransferMinor),
    perDay: amount(limits.perDayMinor),
    remainingToday: left(limits.perDayMinor, use.todayMinor),
    per30Days: amount(limits.per30DaysMinor),
    remaining30Days: left(limits.per30DaysMinor, use.days30Minor),
    transfersPerDay: limits.transfersPerDay,
    transfersToday: use.transfersToday,
    cardHoldsPerDay: amount(limits.cardHoldsPerDayMinor),
    remainingCardHoldsToday: left(limits.cardHoldsPerDayMinor, use.cardHoldsTodayMinor),
  };
}

/** The changes as they are sent: amounts as decimal texts or JSON numbers. */
export interface LimitChangeSent extends Partial<Record<Amount, string | number | null>> {
  readonly transfersPerDay?: number | null;
}

const AMOUNTS = {
  perTransfer: 'perTransferMinor',
  perDay: 'perDayMinor',
  per30Days: 'per30DaysMinor',
  cardHoldsPerDay: 'cardHoldsPerDayMinor',
} as const satisfies Record<Amount, keyof Limits>;
const AMOUNT_NAMES = Object.keys(AMOUNTS) as Amount[];

/** Returns what was sent, with one text for equal amounts, whichever API they came by. */
export function comparedChange(change: LimitChangeSent): object {
  const amounts = AMOUNT_NAMES.flatMap(name => {
    const sent = change[name];
    return sent === undefined ? [] : [[name, sent === null ? null : shortDecimal(String(sent))] as const];
  });
  const { transfersPerDay } = change;
  return { ...Object.fromEntries(amounts), ...(transfersPerDay !== undefined && { transfersPerDay }) };
}

/** The own limits of an account after a change. Throws `InvalidInput`, which names every bad field. */
export function changedLimits(own: Limits | null, change: LimitChangeSent, currency: string): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...(own ?? NO_LIMITS) };
  const problems: FieldProblem[] = [];
  for (const name of AMOUNT_NAMES) {
    const sent = change[name];
    if (sent === undefined) continue;
    const amountMinor = sent === null ? null : minorOf(String(sent), currency);
    const pointer = `/${name}`;
    if (sent !== null && amountMinor === null) {
      const detail = `Must be a decimal number with no more decimal digits than the account's currency has.`;
      problems.push({ pointer, code: 'currency_digits', detail });
    } else if (amountMinor !== null && (amountMinor < 0n || amountMinor > MAX_AMOUNT_MINOR)) {
      problems.push({ ...LIMIT_RANGE, pointer });
    } else limits[AMOUNTS[name]] = amountMinor;
  }
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  if (change.transfersPerDay !== undefined) limits.transfersPerDay = change.transfersPerDay;
  return limits;
}

export const LIMIT_RANGE: FieldProblem = {
  pointer: '/perTransfer',
  code: 'range',
  detail: 'Must be between 0 and 10^15 minor units of the currency.',
};

/** Own limits as texts by their names, for events and approvals; null where that of the program holds. */
export function limitTexts(own: Limits | null, currency: string): Record<Amount | 'transfersPerDay', string | null> {
  const amount = (of: bigint | null | undefined) => (of === null || of === undefined ? null : decimalOf(of, currency));
  return {
    perTransfer: amount(own?.perTransferMinor),
    perDay: amount(own?.perDayMinor),
    per30Days: amount(own?.per30DaysMinor),
    transfersPerDay: own?.transfersPerDay?.toString() ?? null,
    cardHoldsPerDay: amount(own?.cardHoldsPerDayMinor),
  };
}
