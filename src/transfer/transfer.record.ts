import { pick } from '../platform/repository/fields.js';
import { decimalOf } from '../shared/money.js';
import { transferEntryId } from '../transaction/ledger.service.js';
import { TRANSFER_FIELDS, type TransferRead, type TransferView } from './transfer.entity.js';

/** A transfer as it is stored. */
export type StoredTransfer = Omit<TransferRead, 'amount' | 'fromTransactionId' | 'toTransactionId'>;

/** A transfer as it would be read. */
export function transferOf(stored: StoredTransfer): TransferRead {
  const { transferId, amountMinor, currency } = stored;
  return {
    ...stored,
    amount: decimalOf(amountMinor, currency),
    fromTransactionId: transferEntryId(transferId, 'out'),
    toTransactionId: transferEntryId(transferId, 'in'),
  };
}

/** A transfer as plain data. */
export function shown(transfer: TransferView): TransferView {
  return pick<TransferView>(transfer, TRANSFER_FIELDS);
}
