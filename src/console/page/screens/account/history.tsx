import { usePages } from '../../client/pages.js';
import {
  ConsoleAccountTransactionsDocument,
  type DebitCreditMemo,
  type TransactionFilter,
  type TransactionStatus,
} from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Filters } from '../../ui/filters.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { words } from '../../ui/words.js';
import { pathOf, type TabProps } from './account-of.js';
import { HistoryExport } from './history-export.js';
import { transactionColumns } from './transaction-columns.js';
import { TransactionDetail } from './transaction-detail.js';

const STATUSES: readonly TransactionStatus[] = ['POSTED', 'PENDING', 'AUTHORIZATION', 'MEMO'];
const DIRECTIONS: readonly (readonly [DebitCreditMemo, string])[] = [
  ['CREDIT', 'Money in'],
  ['DEBIT', 'Money out'],
  ['MEMO', 'For information'],
];

const FILTERS = {
  text: { label: 'Text' },
  from: { label: 'From', type: 'date' },
  to: { label: 'To', type: 'date' },
  type: { label: 'Type', placeholder: 'FEE, INTEREST' },
  category: { label: 'Category', placeholder: 'ACH, CARD' },
  min: { label: 'Least amount', inputMode: 'decimal' },
  max: { label: 'Most amount', inputMode: 'decimal' },
  direction: { label: 'Direction', options: DIRECTIONS },
  status: { label: 'Status', options: STATUSES.map(status => [status, words(status)] as const) },
  order: { label: 'Order', any: 'Newest first', options: [['oldest', 'Oldest first']] },
} as const;

/** The history of the account, with every filter in the address. */
export function HistoryTab({ account: { accountId, timeZone }, item, fresh }: TabProps) {
  const { query } = useAddress();
  const path = pathOf(accountId, 'history');
  const filter = filterOf(query);
  const fromEnd = query.get('order') === 'oldest';
  const pages = usePages(
    ConsoleAccountTransactionsDocument,
    { accountId, filter },
    ({ account }) => account?.transactions,
    { fromEnd },
  );
  const given = Object.fromEntries(query);
  return (
    <>
      <Filters noun="transactions" path={path} filters={FILTERS} />
      <Card
        title={fromEnd ? 'Oldest transactions' : 'Transactions'}
        isFlush
        actions={<HistoryExport {...{ accountId, query }} />}
      >
        <PagedList
          of={pages}
          noun="transaction"
          empty={
            <Empty title="No transactions">
              {Object.keys(given).length > 0 ? 'None matches the filter.' : 'Nothing was posted to this account yet.'}
            </Empty>
          }
        >
          {nodes => (
            <Table
              caption="Transactions"
              columns={transactionColumns(timeZone)}
              rows={nodes}
              keyOf={({ transactionId }) => transactionId}
              isFresh={({ transactionId }) => fresh.has(transactionId)}
            />
          )}
        </PagedList>
      </Card>
      {item && (
        <TransactionDetail
          key={item}
          {...{ accountId, timeZone }}
          transactionId={item}
          onClose={() => navigate(hrefOf(path, given))}
        />
      )}
    </>
  );
}

/** The filter in the address; null where there is none. */
function filterOf(query: URLSearchParams): TransactionFilter | null {
  const text = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const several = (name: string): string[] | undefined =>
    text(name)
      ?.split(/[\s,]+/)
      .filter(Boolean);
  const filter: TransactionFilter = {
    search: text('text'),
    postedOnFrom: text('from'),
    postedOnTo: text('to'),
    transactionType: several('type'),
    category: several('category'),
    minAmount: text('min'),
    maxAmount: text('max'),
    directions: DIRECTIONS.flatMap(([one]) => (one === text('direction') ? one : [])),
    status: STATUSES.filter(one => one === text('status')),
  };
  const given = Object.entries(filter).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  return given.length > 0 ? Object.fromEntries(given) : null;
}
