import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import type { Program, SettingsProps } from './settings-of.js';

type Row = NonNullable<Program['transfers']>['limits'][number];

const amount = (of: string | null) => (of === null ? 'No limit' : <Money amount={of} />);

const COLUMNS: readonly Column<Row>[] = [
  { label: 'Currency', narrow: 'lead', cell: ({ currency }) => currency },
  { label: 'A transfer', isEnd: true, cell: ({ perTransfer }) => amount(perTransfer) },
  { label: 'Transfers of a day', isEnd: true, cell: ({ perDay }) => amount(perDay) },
  { label: 'Of 30 days', isEnd: true, cell: ({ per30Days }) => amount(per30Days) },
  { label: 'How many a day', isEnd: true, cell: ({ transfersPerDay }) => transfersPerDay ?? 'No limit' },
  { label: 'Card holds of a day', isEnd: true, cell: ({ cardHoldsPerDay }) => amount(cardHoldsPerDay) },
];

/** What may leave each account where nothing else was set for it. */
export function Limits({ program: { transfers } }: SettingsProps) {
  return (
    <Card title="Limits of each account" isFlush>
      {transfers?.limits.length ? (
        <Table caption="Limits" columns={COLUMNS} rows={transfers.limits} keyOf={({ currency }) => currency} />
      ) : (
        <Empty title="No limits">Accounts let out what is available, unless an account has limits of its own.</Empty>
      )}
      <p class="hint card-note">
        Customers move money{' '}
        {transfers?.customersTo === 'PROGRAM'
          ? 'to any account whose owner they name'
          : 'between accounts that they own'}
        . Limits of one account are set on its page; these by <code>tillgate programs set</code>.
      </p>
    </Card>
  );
}
