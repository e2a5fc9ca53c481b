import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import { ConsoleAccountsDocument, type AccountStatus, type ConsoleAccountsQuery } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import type { CsvColumn } from '../../ui/csv.js';
import { Money } from '../../ui/money.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { nameOf, words } from '../../ui/words.js';
import { OpenAccount } from './open-account.js';

type Row = NonNullable<ConsoleAccountsQuery['accounts']>['nodes'][number];

const STATUSES: readonly AccountStatus[] = ['OPEN', 'RESTRICTED', 'CLOSED'];

/** The columns of any list of accounts. */
export const ACCOUNT_COLUMNS: readonly Column<Row>[] = [
  {
    label: 'Account',
    narrow: 'lead',
    cell: ({ accountId }) => <RowLink href={hrefOf(`/accounts/${encodeURIComponent(accountId)}`)}>{accountId}</RowLink>,
  },
  { label: 'Owners', narrow: 'bare', cell: ({ owners }) => ownersOf(owners) },
  { label: 'Type', narrow: 'bare', cell: ({ accountType }) => words(accountType) },
  { label: 'Status', narrow: 'bare', cell: ({ status }) => <Status value={status} /> },
  {
    label: 'Available',
    isEnd: true,
    narrow: 'side',
    cell: ({ availableBalance, currency }) => <Money amount={availableBalance} currency={currency} />,
  },
];

export const ACCOUNT_CSV: readonly CsvColumn<Row>[] = [
  ['accountId', ({ accountId }) => accountId],
  ['owners', ({ owners }) => ownersOf(owners)],
  ['accountType', ({ accountType }) => accountType],
  ['status', ({ status }) => status],
  ['availableBalance', ({ availableBalance }) => availableBalance],
  ['currency', ({ currency }) => currency],
];

/** The accounts of the program, by their ids. */
export function Accounts() {
  const { query } = useAddress();
  const mayOpen = useMay('operations');
  const [isOpening, setOpening] = useState(false);
  const status = STATUSES.find(one => one === query.get('status'));
  const { fromEnd, order } = useOrder('/accounts', 'Account', { isAscending: true });
  const pages = usePages(
    ConsoleAccountsDocument,
    { filter: status ? { statuses: [status] } : null },
    data => data.accounts,
    { fromEnd },
  );
  const tabs = [undefined, ...STATUSES].map(one => ({
    label: one ? words(one) : 'All',
    href: hrefOf('/accounts', { status: one }),
    isCurrent: one === status,
  }));
  return (
    <Screen
      title="Accounts"
      actions={
        mayOpen && (
          <Button kind="primary" icon="plus" onClick={() => setOpening(true)}>
            Open account
          </Button>
        )
      }
    >
      <Tabs label="Status" tabs={tabs} />
      <div class="card">
        <PagedList
          of={pages}
          noun="account"
          csv={ACCOUNT_CSV}
          {...{ order }}
          empty={<Empty title="No accounts">The program has none with this status.</Empty>}
        >
          {nodes => (
            <Table
              caption="Accounts"
              columns={ACCOUNT_COLUMNS}
              rows={nodes}
              keyOf={({ accountId }) => accountId}
              {...{ order }}
            />
          )}
        </PagedList>
      </div>
      {isOpening && <OpenAccount onClose={() => setOpening(false)} />}
    </Screen>
  );
}

function ownersOf(owners: Row['owners']): string {
  return owners.map(({ name }) => (name ? nameOf(name) : 'Name not readable')).join(', ') || 'None';
}
