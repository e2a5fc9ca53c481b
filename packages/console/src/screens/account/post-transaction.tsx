import { useState } from 'preact/hooks';
import { ConsolePostTransactionDocument, type TransactionInput } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { grouped } from '../../ui/money.js';
import { amountIn } from '../../ui/usual-fields.js';
import type { Account } from './account-of.js';

const DIRECTIONS = [
  ['CREDIT', 'Credit: money enters'],
  ['DEBIT', 'Debit: money leaves'],
] as const;

/** The field of the description, which the customer reads. */
export const DESCRIPTION = {
  label: 'Description',
  hint: 'The customer reads it in the history and on statements.',
  maxLength: 500,
} as const;

/** Begins a posting of this moment, under an id of its own, so that a repeated attempt posts nothing twice. */
export function newPosting() {
  const now = new Date().toISOString();
  return {
    transactionId: `console-${crypto.randomUUID()}`,
    status: 'POSTED',
    transactedAt: now,
    postedAt: now,
  } as const satisfies Partial<TransactionInput>;
}

interface PostTransactionProps {
  readonly account: Pick<Account, 'accountId' | 'currency'>;
  readonly onClose: () => void;
}

/** Posts one transaction that no other system of the bank knows of, such as a correction. */
export function PostTransaction({ account: { accountId, currency }, onClose }: PostTransactionProps) {
  const [posting] = useState(newPosting);
  const form = useForm(
    {
      direction: { label: 'Direction', options: DIRECTIONS },
      amount: { ...amountIn(currency), autoFocus: true },
      description: { ...DESCRIPTION, isWide: true },
      transactionType: { label: 'Type', hint: 'One word, such as ADJUSTMENT, FEE or INTEREST.', maxLength: 64 },
      category: { label: 'Category', hint: 'The payment rail, such as BOOK or ACH.', maxLength: 64 },
      reference: { label: 'Reference', isOptional: true, hint: 'For bookkeeping.', maxLength: 64 },
      checkFunds: {
        check: 'Refuse it beyond what is available and the overdraft limit',
        isShown: ({ direction }) => direction === 'DEBIT',
      },
    },
    { from: { transactionType: 'ADJUSTMENT', category: 'BOOK', checkFunds: true }, at: '/input/transactions/0' },
  );
  const variables = () => {
    const { checkFunds, ...transaction } = form.input();
    return {
      accountId,
      checkFunds: transaction.direction === 'DEBIT' && checkFunds,
      transactions: [{ ...posting, ...transaction }],
    };
  };
  return (
    <CommandDialog
      title={`Post a transaction to ${accountId}`}
      verb="Post"
      size="wide"
      operation={ConsolePostTransactionDocument}
      {...{ form, variables, onClose }}
      done={() => `${grouped(form.values.amount)} ${currency} were posted to ${accountId}.`}
    />
  );
}
