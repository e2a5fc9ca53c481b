import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleReverseTransactionDocument,
  ConsoleTransactionDetailDocument,
  ConsoleTransferOfDocument,
  type ConsoleTransactionDetailQuery,
  type ConsoleTransferOfQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Copy } from '../../ui/copy.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { useReason } from '../../ui/reason.js';
import { grouped, Money } from '../../ui/money.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { NotesSection } from '../notes/notes.js';
import { pathOf } from './account-of.js';
import { isFee, Refund } from './refund.js';
import { ReverseTransfer } from './reverse-transfer.js';
import { TypeOf } from './transaction-columns.js';

type Detail = NonNullable<NonNullable<ConsoleTransactionDetailQuery['account']>['transaction']>;
type Transfer = NonNullable<ConsoleTransferOfQuery['transfer']>;

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
  const [isRefunding, setRefunding] = useState(false);
  const transaction = query.data?.account?.transaction;
  const transferId = transaction?.category === 'TRANSFER' ? transaction.reference : null;
  const found = useQuery(ConsoleTransferOfDocument, transferId == null ? null : { transferId });
  const transfer = transaction && endOf(found.data?.transfer, transaction) ? found.data?.transfer : null;
  const canReverse = mayReverse && transaction && !found.isLoading && isReversible(transaction, transfer);
  return (
    <>
      <Dialog
        title="Transaction"
        size="side"
        onClose={onClose}
        foot={
          canReverse && (
            <Actions
              {...{ transaction, transfer, onRefund: () => setRefunding(true), onReverse: () => setReversing(true) }}
            />
          )
        }
      >
        <Answer of={query} lines={8}>
          {data =>
            data.account?.transaction ? (
              <>
                <Shown transaction={data.account.transaction} transfer={transfer} zone={timeZone} />
                <NotesSection about={{ accountId, transactionId }} name="the transaction" />
              </>
            ) : (
              <Empty title="No such transaction">The account has no transaction with this id.</Empty>
            )
          }
        </Answer>
      </Dialog>
      {isRefunding && transaction && <Refund fee={transaction} onClose={() => setRefunding(false)} />}
      {isReversing &&
        transaction &&
        (transfer ? (
          <ReverseTransfer transfer={transfer} onClose={() => setReversing(false)} />
        ) : (
          <Reverse transaction={transaction} onClose={() => setReversing(false)} />
        ))}
    </>
  );
}

interface ActionsProps {
  readonly transaction: Detail;
  readonly transfer: Transfer | null | undefined;
  readonly onRefund: () => void;
  readonly onReverse: () => void;
}

function Actions({ transaction, transfer, onRefund, onReverse }: ActionsProps) {
  return (
    <>
      {isFee(transaction) && <Button onClick={onRefund}>Refund the fee</Button>}
      <Button onClick={onReverse}>{transfer ? 'Reverse the transfer' : 'Reverse'}</Button>
    </>
  );
}

function isReversible({ status, direction }: Detail, transfer: Transfer | null | undefined): boolean {
  return transfer?.status !== 'REVERSED' && status === 'POSTED' && direction !== 'MEMO';
}

/** Which end of a transfer a transaction is; undefined where it is none. */
function endOf(transfer: Transfer | null | undefined, { accountId, transactionId }: Detail): 'from' | 'to' | undefined {
  if (transfer?.fromAccountId === accountId && transfer.fromTransactionId === transactionId) return 'from';
  return transfer?.toAccountId === accountId && transfer.toTransactionId === transactionId ? 'to' : undefined;
}

interface ShownProps {
  readonly transaction: Detail;
  /** The transfer of which the transaction is one end. */
  readonly transfer: Transfer | null | undefined;
  readonly zone: string;
}

function Shown({ transaction, transfer, zone }: ShownProps) {
  const { accountId, transactionId, amount, currency, direction, description, memo, reference } = transaction;
  const { postedAt, referenceTransactionId } = transaction;
  return (
    <>
      <p class="big">
        <Money {...{ amount, currency, direction }} />
      </p>
      <Facts
        isLines
        facts={[
          ['Description', description ?? 'None'],
          memo != null && ['Memo', memo],
          ['Status', <Status value={transaction.status} />],
          ['Type', <TypeOf {...transaction} />],
          ['Happened', <Time at={transaction.transactedAt} zone={zone} withSeconds />],
          ['Posted', postedAt == null ? 'Not posted' : <Time at={postedAt} zone={zone} withSeconds />],
          ['Balance after it', <Money amount={transaction.balanceAfter} currency={currency} />],
          reference != null && ['Reference', reference],
          transfer && ['From', <End accountId={transfer.fromAccountId} transactionId={transfer.fromTransactionId} />],
          transfer && ['To', <End accountId={transfer.toAccountId} transactionId={transfer.toTransactionId} />],
          transfer?.status === 'REVERSED' && ['Transfer', <Status value="REVERSED" />],
          !transfer &&
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
      {transaction.lineItems.length > 0 && (
        <>
          <h3>Lines</h3>
          <ul class="bare-list">
            {transaction.lineItems.map((line, index) => (
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

/** Opens a transaction in the history of its account. */
function End({ accountId, transactionId }: Pick<Detail, 'accountId' | 'transactionId'>) {
  return <a href={hrefOf(pathOf(accountId, 'history', transactionId))}>{accountId}</a>;
}

function Reverse({ transaction, onClose }: { readonly transaction: Detail; readonly onClose: () => void }) {
  const { accountId, transactionId, amount, currency, description } = transaction;
  const form = useReason();
  return (
    <CommandDialog
      title="Reverse the transaction"
      verb="Reverse"
      isDangerous
      operation={ConsoleReverseTransactionDocument}
      form={form}
      variables={() => ({ accountId, transactionId, ...form.input() })}
      done={data =>
        `${grouped(amount)} ${currency} was reversed by ${data.reverseTransaction?.transaction.transactionId ?? 'a new transaction'}.`
      }
      onClose={onClose}
    >
      <p>
        {description ?? transactionId}: a new transaction moves {grouped(amount)} {currency} in the other direction.
        This one stays as it is.
      </p>
    </CommandDialog>
  );
}
