import { usePages } from '../../client/pages.js';
import {
  ConsoleProgramTransactionsDocument,
  type ConsoleProgramTransactionsQuery,
  type TransactionFilter,
  TransactionStatus,
} from '../../generated/graphql.js';
import { BASE, hrefOf, useAddress } from '../../router.js';
import { ButtonLink } from '../../ui/button.js';
import { CATEGORIES, TRANSACTION_TYPES } from '../../ui/codes.js';
import { Filters } from '../../ui/filters.js';
import { Money } from '../../ui/money.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { LocalTime } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { StatusOf, TypeOf } from '../account/transaction-columns.js';

type Row = NonNullable<ConsoleProgramTransactionsQuery['transactions']>['nodes'][number];

const STATUSES = Object.values(TransactionStatus);

const COLUMNS: readonly Column<Row>[] = [
  {
    label: 'When',
    narrow: 'bare',
    cell: ({ postedAtLocal, postedAt, transactedAtLocal, transactedAt }) => (
      <LocalTime local={postedAtLocal ?? transactedAtLocal} at={postedAt ?? transactedAt} />
    ),
  },
  {
    label: 'Account',
    narrow: 'bare',
    cell: ({ accountId }) => <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}`)}>{accountId}</a>,
  },
  {
    label: 'Description',
    narrow: 'lead',
    cell: ({ description, memo, transactionType }) => (
      <>
        {description || words(transactionType)}
        {memo && <div class="soft small">{memo}</div>}
      </>
    ),
  },
  { label: 'Type', narrow: 'bare', cell: transaction => <TypeOf {...transaction} /> },
  { label: 'Status', narrow: 'bare', cell: transaction => <StatusOf {...transaction} /> },
  {
    label: 'Amount',
    isEnd: true,
    narrow: 'side',
    cell: ({ amount, currency, direction }) => <Money {...{ amount, currency, direction }} />,
  },
  {
    label: 'Balance',
    isEnd: true,
    cell: ({ balanceAfter, currency }) => <Money amount={balanceAfter} currency={currency} />,
  },
];

const FILTERS = {
  days: { label: 'Posted', type: 'date', range: ['startTime', 'endTime'] },
  amounts: { label: 'Amount', inputMode: 'decimal', range: ['minAmount', 'maxAmount'] },
  transactionType: { label: 'Type', codes: TRANSACTION_TYPES, placeholder: 'FEE' },
  category: { label: 'Category', codes: CATEGORIES, placeholder: 'ACH' },
  search: { label: 'Text' },
  status: { label: 'Status', options: STATUSES.map(status => [status, words(status)] as const) },
  direction: {
    label: 'Direction',
    options: [
      ['CREDIT', 'Credit'],
      ['DEBIT', 'Debit'],
    ],
  },
} as const;

/** Filters by their names in the address and in the export. */
const NAMES = ['startTime', 'endTime', 'search', 'category', 'transactionType', 'status', 'direction'] as const;
const AMOUNTS = ['minAmount', 'maxAmount'] as const;

/** The transactions of all accounts. */
export function ProgramTransactions() {
  const { query } = useAddress();
  const filter = filterOf(query);
  const { fromEnd, order } = useOrder('/history', 'When');
  const pages = usePages(ConsoleProgramTransactionsDocument, { filter }, data => data.transactions, { fromEnd });
  return (
    <Screen
      title="History"
      about="The transactions of all accounts of the program."
      actions={
        <ButtonLink icon="download" isDownload href={exportOf(query)}>
          Export as CSV
        </ButtonLink>
      }
    >
      <div class="card">
        <PagedList
          of={pages}
          noun="transaction"
          filters={<Filters noun="transactions" path="/history" filters={FILTERS} />}
          {...{ order }}
          empty={
            <Empty title="No transactions">
              {filter ? 'None matches the filter.' : 'What is posted to any account appears here.'}
            </Empty>
          }
        >
          {nodes => (
            <Table
              caption="Transactions"
              {...{ order }}
              columns={COLUMNS}
              rows={nodes}
              keyOf={({ accountId, transactionId }) => `${accountId} ${transactionId}`}
            />
          )}
        </PagedList>
      </div>
    </Screen>
  );
}

function filterOf(query: URLSearchParams): TransactionFilter | null {
  const text = (name: (typeof NAMES)[number] | (typeof AMOUNTS)[number]): string | undefined =>
    query.get(name) || undefined;
  const several = (name: (typeof NAMES)[number]): string[] | undefined =>
    text(name)
      ?.split(/[\s,]+/)
      .filter(Boolean);
  const direction = text('direction');
  const status = STATUSES.find(one => one === text('status'));
  const filter: TransactionFilter = {
    postedOnFrom: text('startTime'),
    postedOnTo: text('endTime'),
    search: text('search'),
    minAmount: text('minAmount'),
    maxAmount: text('maxAmount'),
    categories: several('category'),
    transactionTypes: several('transactionType'),
    statuses: status && [status],
    directions: direction === 'CREDIT' || direction === 'DEBIT' ? [direction] : undefined,
  };
  return Object.values(filter).some(value => value !== undefined) ? filter : null;
}

/** The address of a CSV file with the transactions that the filter selects. */
function exportOf(query: URLSearchParams): string {
  const wanted = new URLSearchParams({ format: 'csv', bom: 'true' });
  for (const name of [...NAMES, ...AMOUNTS]) {
    const value = query.get(name);
    if (value) wanted.set(name, value);
  }
  return `${BASE}/files/transactions?${wanted.toString()}`;
}
