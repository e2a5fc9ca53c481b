import { usePages } from '../../client/pages.js';
import {
  ConsoleAccountTransactionsDocument,
  type ConsoleTransactionFragment,
  type TransactionDirection,
  type TransactionFilter,
  TransactionStatus,
} from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { CATEGORIES, TRANSACTION_TYPES } from '../../ui/codes.js';
import { csvFields, saveList } from '../../ui/csv.js';
import { Filters } from '../../ui/filters.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { optionsOf, words } from '../../ui/words.js';
import { pathOf, type TabProps } from './account-of.js';
import { HistoryExport } from './history-export.js';
import { transactionColumns } from './transaction-columns.js';
import { TransactionDetail } from './transaction-detail.js';

const STATUSES = Object.values(TransactionStatus);
const DIRECTIONS = optionsOf<TransactionDirection>({ CREDIT: 'Money in', DEBIT: 'Money out', MEMO: 'For information' });

const FILTERS = {
  days: { label: 'Posted', type: 'date', range: ['from', 'to'] },
  amounts: { label: 'Amount', inputMode: 'decimal', range: ['min', 'max'] },
  type: { label: 'Type', codes: TRANSACTION_TYPES, placeholder: 'FEE, INTEREST' },
  category: { label: 'Category', codes: CATEGORIES, placeholder: 'ACH, CARD' },
  text: { label: 'Text' },
  direction: { label: 'Direction', options: DIRECTIONS },
  status: { label: 'Status', options: STATUSES.map(status => [status, words(status)] as const) },
} as const;

const CSV = csvFields<ConsoleTransactionFragment>(
  'transactionId',
  'postedAt',
  'transactedAt',
  'status',
  'direction',
  'amount',
  'balanceAfter',
  'currency',
  'transactionType',
  'category',
  'description',
  'memo',
  'referenceTransactionId',
);

/** The history of the account, with every filter in the address. */
export function HistoryTab({ account: { accountId, timeZone }, item, fresh }: TabProps) {
  const { query } = useAddress();
  const path = pathOf(accountId, 'history');
  const filter = filterOf(query);
  const { fromEnd, order } = useOrder(path, 'When');
  const pages = usePages(
    ConsoleAccountTransactionsDocument,
    { accountId, filter },
    ({ account }) => account?.transactions,
    { fromEnd },
  );
  const given = Object.fromEntries(query);
  return (
    <>
      <section class="card" aria-label="Transactions">
        <PagedList
          of={pages}
          noun="transaction"
          title="Transactions"
          filters={<Filters noun="transactions" path={path} filters={FILTERS} />}
          exports={
            <HistoryExport
              {...{ accountId, query }}
              saveShown={() => saveList({ of: pages, name: 'transactions', columns: CSV })}
            />
          }
          {...{ order }}
          empty={
            <Empty title="No transactions">
              {Object.keys(given).length > 0 ? 'None matches the filter.' : 'Nothing was posted to this account yet.'}
            </Empty>
          }
        >
          {nodes => (
            <Table
              caption="Transactions"
              {...{ order }}
              columns={transactionColumns(timeZone)}
              rows={nodes}
              keyOf={({ transactionId }) => transactionId}
              isFresh={({ transactionId }) => fresh.has(transactionId)}
            />
          )}
        </PagedList>
      </section>
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
    transactionTypes: several('type'),
    categories: several('category'),
    minAmount: text('min'),
    maxAmount: text('max'),
    directions: DIRECTIONS.flatMap(([one]) => (one === text('direction') ? one : [])),
    statuses: STATUSES.filter(one => one === text('status')),
  };
  const given = Object.entries(filter).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  return given.length > 0 ? Object.fromEntries(given) : null;
}
