import { BENEFICIARY_SEALED } from '../beneficiary/beneficiary.seals.js';
import { CARD_SEALED, PIN_SEALED } from '../card/card.seals.js';
import { CUSTOMER_SEALED } from '../owner/owner.seals.js';
import { OUTCOME_SEALED } from '../platform/command/idempotency-record.seals.js';
import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { STATEMENT_SEALED } from '../statement/statement.vault.js';

/** Everything that is sealed. What is missing here stays under its old key when the keys are rotated. */
export const SEALS: readonly SealedColumn[] = [
  CUSTOMER_SEALED,
  BENEFICIARY_SEALED,
  CARD_SEALED,
  PIN_SEALED,
  STATEMENT_SEALED,
  OUTCOME_SEALED,
];
