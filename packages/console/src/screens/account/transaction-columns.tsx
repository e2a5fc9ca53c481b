import type { ConsoleTransactionFragment } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Money } from '../../ui/money.js';
import { Status } from '../../ui/status.js';
import { RowLink, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { pathOf } from './account-of.js';

/** The columns of the transactions of an account whose days begin and end in `zone`. */
export function transactionColumns(zone: string): readonly Column<ConsoleTransactionFragment>[] {
  return [
    {
      label: 'When',
      narrow: 'bare',
      cell: ({ postedAt, transactedAt }) => <Time at={postedAt ?? transactedAt} zone={zone} />,
    },
    { label: 'Description', narrow: 'lead', cell: transaction => <Description transaction={transaction} /> },
    {
      label: 'Type',
      narrow: 'bare',
      cell: transaction => <TypeOf {...transaction} />,
    },
    { label: 'Status', narrow: 'bare', cell: transaction => <StatusOf {...transaction} /> },
    {
      label: 'Amount',
      isEnd: true,
      narrow: 'side',
      cell: ({ amount, direction }) => <Money {...{ amount, direction }} />,
    },
    { label: 'Balance', isEnd: true, cell: ({ balanceAfter }) => <Money amount={balanceAfter} /> },
  ];
}

/** Shows the kind of a transaction, and the rail by which it came. */
export function TypeOf({
  category,
  transactionType,
}: Pick<ConsoleTransactionFragment, 'category' | 'transactionType'>) {
  return (
    <>
      {words(transactionType)}
      {category !== transactionType && <span class="soft small"> {words(category)}</span>}
    </>
  );
}

/** Shows the status. Posted transactions are the usual, so they have no badge. */
export function StatusOf({ status }: Pick<ConsoleTransactionFragment, 'status'>) {
  return status === 'POSTED' ? <span class="usual soft">Posted</span> : <Status value={status} />;
}

/** Opens the detail over the list; the filters of the list stay in the address. */
function Description({ transaction }: { readonly transaction: ConsoleTransactionFragment }) {
  const { query } = useAddress();
  const { accountId, transactionId, description, memo, transactionType } = transaction;
  return (
    <>
      <RowLink href={hrefOf(pathOf(accountId, 'history', transactionId), Object.fromEntries(query))}>
        {description ?? words(transactionType)}
      </RowLink>
      {memo && <div class="soft small">{memo}</div>}
    </>
  );
}
