import type { DemoBank } from './demo-bank.js';
import { accountIdOf, customerIdOf } from './demo-records.js';

/** A card as it can be given to the service of cards. */
export interface DemoCard {
  readonly cardId: string;
  readonly type: 'PHYSICAL' | 'VIRTUAL';
  readonly status: 'INACTIVE' | 'ACTIVE' | 'FROZEN' | 'LOST' | 'STOLEN' | 'CLOSED';
  readonly number: string;
  readonly currency: string;
  /** MMYY */
  readonly expiration: string;
  readonly accountId: string;
  readonly cardHolderId: string;
  readonly cardProductId: string;
  readonly pin: string | null;
  /** An instant in UTC. */
  readonly created: string;
}

/** The states that cards of checking accounts are in, one account after the other. */
const STATES: readonly (readonly DemoCard['status'][])[] = [
  ['ACTIVE', 'FROZEN', 'LOST'],
  ['ACTIVE'],
  ['ACTIVE', 'CLOSED'],
  ['FROZEN'],
  ['INACTIVE', 'STOLEN'],
];
const VALID_YEARS = 4;

/** Cards in all their states, of every checking account. They are valid for some years from `today` (YYYY-MM-DD). */
export function demoCards(bank: DemoBank, today: string): DemoCard[] {
  const checking = bank.accounts.flatMap((account, index) => (account.type === 'CHECKING' ? [{ account, index }] : []));
  return checking.flatMap(({ account: { owners, currency }, index }, place) =>
    (STATES[place % STATES.length] ?? []).map((status, card): DemoCard => {
      const accountId = accountIdOf(bank, index);
      const isVirtual = card % 2 === 1;
      return {
        accountId,
        cardId: `card-${bank.firstAccount + index}-${card + 1}`,
        status,
        currency,
        type: isVirtual ? 'VIRTUAL' : 'PHYSICAL',
        number: cardNumber(bank.firstAccount + index, card + 1),
        expiration: `0${(index % 9) + 1}${String(Number(today.slice(2, 4)) + VALID_YEARS).padStart(2, '0')}`,
        cardHolderId: customerIdOf(bank, owners[card % owners.length] as number),
        cardProductId: isVirtual ? 'debit-online' : 'debit-classic',
        pin: isVirtual ? null : String(4000 + bank.firstAccount + index),
        created: `2025-0${card + 1}-15T15:00:00.000Z`,
      };
    }),
  );
}

/**
 * Nobody's number: a 9 is followed by the country that issues (ISO/IEC 7812-1, annex B), and no country has the code
 * 999, which ISO 3166 leaves to its users.
 */
function cardNumber(account: number, card: number): string {
  const body = `9999${String(account).padStart(8, '0')}${String(card).padStart(3, '0')}`;
  const sum = [...body].reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
