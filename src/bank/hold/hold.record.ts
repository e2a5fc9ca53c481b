import { pick } from '../../platform/repository/fields.js';
import { decimalOf } from '../../shared/money.js';
import { HOLD_FIELDS, keptBack, type HoldRead, type HoldView } from './hold.entity.js';

/** A hold as it is stored. */
export type StoredHold = Omit<HoldRead, 'amount' | 'capturedAmount' | 'heldAmount'>;

/** A hold with its amounts as decimals, as it would be read. */
export function holdOf(stored: StoredHold): HoldRead {
  const { amountMinor, capturedMinor, currency } = stored;
  return {
    ...stored,
    amount: decimalOf(amountMinor, currency),
    capturedAmount: decimalOf(capturedMinor, currency),
    heldAmount: decimalOf(keptBack(stored), currency),
  };
}

/** A hold as plain data. */
export function shown(hold: HoldView): HoldView {
  return pick<HoldView>(hold, HOLD_FIELDS);
}
