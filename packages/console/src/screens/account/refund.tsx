import { useState } from 'preact/hooks';
import { ConsolePostTransactionDocument, type ConsoleTransactionFragment } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { TextField } from '../../ui/field.js';
import { grouped } from '../../ui/money.js';
import { newPosting } from './post-transaction.js';

/** Whether money was taken by a fee, which can be given back. */
export function isFee({ status, debitCreditMemo, transactionType }: ConsoleTransactionFragment): boolean {
  return status === 'POSTED' && debitCreditMemo === 'DEBIT' && /^(\w+_)?FEES?$/.test(transactionType);
}

interface RefundProps {
  readonly fee: ConsoleTransactionFragment;
  readonly onClose: () => void;
}

/** Gives a fee back, or a part of it, by a transaction that refers to it. */
export function Refund({ fee, onClose }: RefundProps) {
  const { accountId, transactionId, currency, category, description } = fee;
  const [posting] = useState(newPosting);
  const [amount, setAmount] = useState(fee.amount);
  const [text, setText] = useState(`Refund: ${description ?? 'fee'}`);
  return (
    <CommandDialog
      title="Refund the fee"
      verb="Refund"
      operation={ConsolePostTransactionDocument}
      variables={() => ({
        accountId,
        checkFunds: false,
        transactions: [
          {
            ...posting,
            referenceTransactionId: transactionId,
            debitCreditMemo: 'CREDIT' as const,
            transactionType: 'REFUND',
            category,
            amount: amount.trim(),
            description: text,
          },
        ],
      })}
      done={() => `${grouped(amount)} ${currency} were refunded to ${accountId}.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p>
            {description ?? transactionId} was {grouped(fee.amount)} {currency}. Look in the history whether it was
            refunded before.
          </p>
          <TextField
            label={`Amount in ${currency}`}
            inputMode="decimal"
            value={amount}
            onValue={setAmount}
            error={errorAt('/transactions/0/amount')}
            maxLength={24}
            autoFocus
          />
          <TextField
            label="Description"
            hint="The customer reads it in the history and on statements."
            value={text}
            onValue={setText}
            error={errorAt('/transactions/0/description')}
            maxLength={500}
          />
        </>
      )}
    </CommandDialog>
  );
}
