import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleReverseTransactionDocument,
  ConsoleTransactionDetailDocument,
  type ConsoleTransactionDetailQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Copy } from '../../ui/copy.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { TextField } from '../../ui/field.js';
import { grouped, Money } from '../../ui/money.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { pathOf } from './account-of.js';

type Detail = NonNullable<NonNullable<ConsoleTransactionDetailQuery['account']>['transaction']>;

interface TransactionDetailProps {
  readonly accountId: string;
  readonly transactionId: string;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** Everything about one transaction, over the list. */
export function TransactionDetail({ accountId, transactionId, timeZone, onClose }: TransactionDetailProps) {
  const query = useQuery(ConsoleTransactionDetailDocument, { accountId, transactionId });
  const mayReverse = useMay('operations');
  const [isReversing, setReversing] = useState(false);
  const transaction = query.data?.account?.transaction;
  const canReverse = mayReverse && transaction?.status === 'POSTED' && transaction.debitCreditMemo !== 'MEMO';
  return (
    <>
      <Dialog
        title="Transaction"
        size="side"
        onClose={onClose}
        foot={canReverse && <Button onClick={() => setReversing(true)}>Reverse</Button>}
      >
        <Answer of={query} lines={8}>
          {data =>
            data.account?.transaction ? (
              <Shown transaction={data.account.transaction} zone={timeZone} />
            ) : (
              <Empty title="No such transaction">The account has no transaction with this id.</Empty>
            )
          }
        </Answer>
      </Dialog>
      {isReversing && transaction && <Reverse transaction={transaction} onClose={() => setReversing(false)} />}
    </>
  );
}

function Shown({ transaction, zone }: { readonly transaction: Detail; readonly zone: string }) {
  const { accountId, transactionId, amount, currency, debitCreditMemo, description, memo, reference } = transaction;
  const { postedTimestamp, referenceTransactionId } = transaction;
  return (
    <>
      <p class="big">
        <Money amount={amount} currency={currency} direction={debitCreditMemo} />
      </p>
      <Facts
        isLines
        facts={[
          ['Description', description ?? 'None'],
          memo != null && ['Memo', memo],
          ['Status', <Status value={transaction.status} />],
          ['Type', `${words(transaction.transactionType)}, ${transaction.category}`],
          ['Happened', <Time at={transaction.transactionTimestamp} zone={zone} withSeconds />],
          ['Posted', postedTimestamp == null ? 'Not posted' : <Time at={postedTimestamp} zone={zone} withSeconds />],
          ['Balance after it', <Money amount={transaction.balanceAfter} currency={currency} />],
          reference != null && ['Reference', reference],
          referenceTransactionId != null && [
            'Related transaction',
            <a href={hrefOf(pathOf(accountId, 'history', referenceTransactionId))}>{referenceTransactionId}</a>,
          ],
          [
            'Id',
            <span class="with-copy">
              {transactionId} <Copy text={transactionId} label="transaction id" />
            </span>,
          ],
        ]}
      />
      {transaction.lineItem.length > 0 && (
        <>
          <h3>Lines</h3>
          <ul class="bare-list">
            {transaction.lineItem.map((line, index) => (
              <li key={index}>{[line.description, line.reference].filter(Boolean).join(', ')}</li>
            ))}
          </ul>
        </>
      )}
      {transaction.additionalInformation.length > 0 && (
        <>
          <h3>Additional information</h3>
          <Facts isLines facts={transaction.additionalInformation.map(({ key, value }) => [key, value] as const)} />
        </>
      )}
    </>
  );
}

function Reverse({ transaction, onClose }: { readonly transaction: Detail; readonly onClose: () => void }) {
  const { accountId, transactionId, amount, currency, description } = transaction;
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title="Reverse the transaction"
      verb="Reverse"
      isDangerous
      operation={ConsoleReverseTransactionDocument}
      variables={() => ({ accountId, transactionId, reason })}
      done={data =>
        `${grouped(amount)} ${currency} was reversed by ${data.reverseTransaction?.transactionId ?? 'a new transaction'}.`
      }
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p>
            {description ?? transactionId}: a new transaction moves {grouped(amount)} {currency} in the other direction.
            This one stays as it is.
          </p>
          <TextField
            label="Reason"
            hint="For the records of the bank, without personal data."
            value={reason}
            onValue={setReason}
            error={errorAt('/reason')}
            maxLength={200}
            autoFocus
          />
        </>
      )}
    </CommandDialog>
  );
}
