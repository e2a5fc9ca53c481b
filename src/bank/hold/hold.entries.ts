import { OWN_ID_MARK } from '../../shared/ids.js';
import type { EntryContent } from '../transaction/ledger.service.js';
import type { HoldRead } from './hold.entity.js';
import type { HoldCommandFacts } from './hold.repository.js';

// The entries of holds in the history of an account. Only captures move the posted balance.

type ProgramPresent = Pick<HoldCommandFacts, 'now' | 'localNow'>;

/** The entry of a hold that is placed. It has the id of the hold. */
export function placedEntry(hold: Omit<HoldRead, 'seq'>, clock: ProgramPresent): EntryContent {
  return {
    ...entryOf(hold, hold.holdId, hold.amountMinor, clock),
    status: hold.cardId === null ? 'PENDING' : 'AUTHORIZATION',
    referenceTransactionId: null,
  };
}

/** The entry of the next capture. */
export function captureEntry(hold: HoldRead, amountMinor: bigint, clock: ProgramPresent): EntryContent {
  return {
    ...entryOf(hold, idAfter(hold, String(hold.captures + 1)), amountMinor, clock),
    status: 'POSTED',
    postedTime: clock.localNow,
    postedTimestamp: clock.now,
  };
}

/** The entry that tells that the rest of a hold is released. */
export function releaseEntry(
  hold: HoldRead,
  amountMinor: bigint,
  clock: ProgramPresent,
  isExpired: boolean,
): EntryContent {
  return {
    ...entryOf(hold, idAfter(hold, 'end'), amountMinor, clock),
    debitCreditMemo: 'MEMO',
    status: 'MEMO',
    transactionType: isExpired ? 'HOLD_EXPIRED' : 'HOLD_RELEASED',
  };
}

function idAfter({ holdId }: HoldRead, ending: string): string {
  return `${holdId}${OWN_ID_MARK}${ending}`;
}

function entryOf(
  { holdId, cardId, description, reference }: Omit<HoldRead, 'seq'>,
  transactionId: string,
  amountMinor: bigint,
  { now, localNow }: ProgramPresent,
): EntryContent {
  return {
    transactionId,
    referenceTransactionId: holdId,
    reference,
    amountMinor,
    debitCreditMemo: 'DEBIT',
    category: cardId === null ? 'OTHER' : 'CARD',
    transactionType: cardId === null ? 'PAYMENT' : 'PURCHASE',
    status: 'PENDING',
    description,
    memo: null,
    transactionTime: localNow,
    transactionTimestamp: now,
    postedTime: null,
    postedTimestamp: null,
    additionalInformation: cardId === null ? [] : [{ key: 'cardId', value: cardId }],
    lineItem: [],
  };
}
