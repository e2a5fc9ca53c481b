import { createHash } from 'node:crypto';
import { pick } from '../../platform/repository/fields.js';
import type { Caller } from '../../shared/caller.js';
import { OWN_ID_MARK } from '../../shared/ids.js';
import { decimalOf } from '../../shared/money.js';
import { transferEntryId } from '../transaction/ledger.service.js';
import { MAX_TRANSFER_ID } from './transfer.inputs.js';
import { TRANSFER_FIELDS, type TransferRead, type TransferView } from './transfer.entity.js';

/** A transfer as it is stored. */
export type StoredTransfer = Omit<TransferRead, 'amount' | 'updatedAt' | 'fromTransactionId' | 'toTransactionId'>;

const DIGEST_DIGITS = 12;

/**
 * The id in the program of a transfer that a caller names. Customers do not see the transfers of others, so each has
 * ids of her own, or a refusal would tell her which ids are taken: the beginning of what she sent, and a digest.
 */
export function recordedIdOf({ customerId }: Pick<Caller, 'customerId'>, transferId: string): string {
  if (customerId === null) return transferId;
  const digest = createHash('sha256').update(`${customerId} ${transferId}`).digest('hex').slice(0, DIGEST_DIGITS);
  return `${transferId.slice(0, MAX_TRANSFER_ID - DIGEST_DIGITS - 1)}${OWN_ID_MARK}${digest}`;
}

/** A transfer as it would be read. */
export function transferOf(stored: StoredTransfer): TransferRead {
  const { transferId, amountMinor, currency } = stored;
  return {
    ...stored,
    amount: decimalOf(amountMinor, currency),
    updatedAt: stored.reversedAt ?? stored.madeAt,
    fromTransactionId: transferEntryId(transferId, 'out'),
    toTransactionId: transferEntryId(transferId, 'in'),
  };
}

/** A transfer as plain data. */
export function shown(transfer: TransferView): TransferView {
  return pick<TransferView>(transfer, TRANSFER_FIELDS);
}
