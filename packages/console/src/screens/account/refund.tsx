import { useState } from 'preact/hooks';
import { ConsolePostTransactionDocument, type ConsoleTransactionFragment } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { grouped } from '../../ui/money.js';
import { amountIn } from '../../ui/usual-fields.js';
import { DESCRIPTION, newPosting } from './post-transaction.js';

/** True if money was taken by a fee, which can be given back. */
export function isFee({ status, direction, transactionType }: ConsoleTransactionFragment): boolean {
  return status === 'POSTED' && direction === 'DEBIT' && /^(\w+_)?FEES?$/.test(transactionType);
}

interface RefundProps {
  readonly fee: ConsoleTransactionFragment;
  readonly onClose: () => void;
}

/** Gives a fee back, or a part of it, by a transaction that refers to it. */
export function Refund({ fee, onClose }: RefundProps) {
  const { accountId, transactionId, currency, category, description } = fee;
  const [posting] = useState(newPosting);
  const form = useForm(
    { amount: { ...amountIn(currency), autoFocus: true }, description: DESCRIPTION },
    {
      from: { amount: fee.amount, description: `Refund: ${description ?? 'fee'}` },
      at: '/input/transactions/0',
      isStacked: true,
    },
  );
  return (
    <CommandDialog
      title="Refund the fee"
      verb="Refund"
      operation={ConsolePostTransactionDocument}
      form={form}
      variables={() => ({
        accountId,
        checkFunds: false,
        transactions: [
          {
            ...posting,
            referenceTransactionId: transactionId,
            direction: 'CREDIT' as const,
            transactionType: 'REFUND',
            category,
            ...form.input(),
          },
        ],
      })}
      done={() => `${grouped(form.values.amount)} ${currency} were refunded to ${accountId}.`}
      onClose={onClose}
    >
      <p>
        {description ?? transactionId} was {grouped(fee.amount)} {currency}. Look in the history whether it was refunded
        before.
      </p>
    </CommandDialog>
  );
}
