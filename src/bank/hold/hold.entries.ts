import { randomUUID } from 'node:crypto';
import { OWN_ID_MARK } from '../../shared/ids.js';
import type { EntryContent } from '../transaction/ledger.service.js';
import type { HoldRead } from './hold.entity.js';
import type { HoldCommandFacts } from './hold.repository.js';

// What the history of an account shows of its holds. Only captures move the posted balance.

type ProgramPresent = Pick<HoldCommandFacts, 'now' | 'localNow'>;
type Ledger = Pick<HoldCommandFacts, 'now' | 'localNow' | 'taken'>;

/** The entry of a hold that is placed. It has the id of the hold. */
export function placedEntry(hold: Omit<HoldRead, 'seq'>, present: ProgramPresent): EntryContent {
  return {
    ...entryOf(hold, hold.holdId, hold.amountMinor, present),
    status: hold.cardId === null ? 'PENDING' : 'AUTHORIZATION',
    referenceTransactionId: null,
  };
}

/** The entry of the next capture. */
export function captureEntry(hold: HoldRead, amountMinor: bigint, { taken, ...present }: Ledger): EntryContent {
  return {
    ...entryOf(hold, idAfter(hold, String(hold.captures + 1), taken), amountMinor, present),
    status: 'POSTED',
    postedTime: present.localNow,
    postedTimestamp: present.now,
  };
}

/** The entry that tells that the rest of a hold is released. */
export function releaseEntry(
  hold: HoldRead,
  amountMinor: bigint,
  { taken, ...present }: Ledger,
  isExpired: boolean,
): EntryContent {
  return {
    ...entryOf(hold, idAfter(hold, 'end', taken), amountMinor, present),
    debitCreditMemo: 'MEMO',
    status: 'MEMO',
    transactionType: isExpired ? 'HOLD_EXPIRED' : 'HOLD_RELEASED',
  };
}

/** A hold can be captured and ends whatever ids the ledger has: older ones of callers may have the mark. */
function idAfter({ holdId }: HoldRead, ending: string, taken: readonly string[]): string {
  const id = `${holdId}${OWN_ID_MARK}${ending}`;
  return taken.includes(id) ? randomUUID() : id;
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
