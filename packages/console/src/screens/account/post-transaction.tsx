import { useState } from 'preact/hooks';
import {
  ConsolePostTransactionDocument,
  type DebitCreditMemo,
  type TransactionInput,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Check, Select, TextField } from '../../ui/field.js';
import { grouped } from '../../ui/money.js';
import type { Account } from './account-of.js';

const DIRECTIONS: readonly (readonly [DebitCreditMemo, string])[] = [
  ['CREDIT', 'Credit: money enters'],
  ['DEBIT', 'Debit: money leaves'],
];

/** What is posted at this moment, under an id of its own, so that a repeated attempt posts nothing twice. */
export function newPosting() {
  const now = new Date().toISOString();
  return {
    transactionId: `console-${crypto.randomUUID()}`,
    status: 'POSTED',
    transactionTimestamp: now,
    postedTimestamp: now,
  } as const satisfies Partial<TransactionInput>;
}

interface PostTransactionProps {
  readonly account: Pick<Account, 'accountId' | 'currency'>;
  readonly onClose: () => void;
}

/** Posts one transaction that no other system of the bank knows of, such as a correction. */
export function PostTransaction({ account: { accountId, currency }, onClose }: PostTransactionProps) {
  const [posting] = useState(newPosting);
  const [direction, setDirection] = useState<DebitCreditMemo>('CREDIT');
  const [checkFunds, setCheckFunds] = useState(true);
  const [fields, setFields] = useState({
    amount: '',
    transactionType: 'ADJUSTMENT',
    category: 'BOOK',
    description: '',
    reference: '',
  });
  const text = (name: keyof typeof fields) => ({
    value: fields[name],
    onValue: (value: string) => setFields(last => ({ ...last, [name]: value })),
  });
  return (
    <CommandDialog
      title={`Post a transaction to ${accountId}`}
      verb="Post"
      size="wide"
      operation={ConsolePostTransactionDocument}
      variables={() => ({
        accountId,
        checkFunds: direction === 'DEBIT' && checkFunds,
        transactions: [
          {
            ...posting,
            ...fields,
            debitCreditMemo: direction,
            amount: fields.amount.trim(),
            reference: fields.reference || null,
          },
        ],
      })}
      done={() => `${grouped(fields.amount)} ${currency} were posted to ${accountId}.`}
      onClose={onClose}
    >
      {errorAt => {
        const error = (name: string) => errorAt(`/transactions/0/${name}`);
        return (
          <div class="fields">
            <Select label="Direction" value={direction} onValue={setDirection} options={DIRECTIONS} />
            <TextField
              label={`Amount in ${currency}`}
              inputMode="decimal"
              {...text('amount')}
              error={error('amount')}
              maxLength={24}
              autoFocus
            />
            <TextField
              label="Description"
              hint="The customer reads it in the history and on statements."
              isWide
              {...text('description')}
              error={error('description')}
              maxLength={500}
            />
            <TextField
              label="Type"
              hint="One word, such as ADJUSTMENT, FEE or INTEREST."
              {...text('transactionType')}
              error={error('transactionType')}
              maxLength={64}
            />
            <TextField
              label="Category"
              hint="The payment rail, such as BOOK or ACH."
              {...text('category')}
              error={error('category')}
              maxLength={64}
            />
            <TextField
              label="Reference"
              isOptional
              hint="For bookkeeping."
              {...text('reference')}
              error={error('reference')}
              maxLength={64}
            />
            {direction === 'DEBIT' && (
              <Check
                label="Refuse it beyond what is available and the overdraft limit"
                isChecked={checkFunds}
                onChecked={setCheckFunds}
              />
            )}
          </div>
        );
      }}
    </CommandDialog>
  );
}
