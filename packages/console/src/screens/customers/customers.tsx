import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import { ConsoleCustomersDocument, type ConsoleCustomerRowFragment } from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Filters } from '../../ui/filters.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { nameOf } from '../../ui/words.js';
import { CustomerDialog } from './customer-dialog.js';
import { FOUND_BY, customersIn, useFoundCustomers } from './found-customers.js';

type Row = ConsoleCustomerRowFragment;

const COLUMNS: readonly Column<Row>[] = [
  {
    label: 'Name',
    narrow: 'lead',
    cell: ({ customerId, name }) => <RowLink href={hrefOf(`/customers/${customerId}`)}>{nameOf(name)}</RowLink>,
  },
  {
    label: 'Tax id',
    narrow: 'side',
    cell: ({ taxId, taxIdCountry }) => (taxId ? `${taxId} ${taxIdCountry ?? ''}` : 'None'),
  },
  { label: 'E-mail', narrow: 'bare', cell: ({ contact }) => contact.email[0] },
  { label: 'Telephone', narrow: 'bare', cell: ({ contact }) => contact.telephones[0]?.number },
  { label: 'City', narrow: 'bare', cell: ({ addresses: [address] }) => address && placeOf(address) },
];

function placeOf({ city, state, country }: Row['addresses'][number]): string {
  return [city, state, country].filter(Boolean).join(', ');
}

/** The customers of the program, or those that a text names. */
export function Customers() {
  const { query } = useAddress();
  const text = query.get('text')?.trim() ?? '';
  const mayCreate = useMay('operations');
  const [isCreating, setCreating] = useState(false);
  return (
    <Screen
      title="Customers"
      about="The people who own accounts and hold cards."
      actions={
        mayCreate && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            Add customer
          </Button>
        )
      }
    >
      <Filters
        noun="customers"
        path="/customers"
        filters={{ text: { label: 'Name, tax id or customer id', placeholder: 'Ashdown' } }}
      />
      <div class="card">{text ? <Found text={text} /> : <All />}</div>
      {isCreating && (
        <CustomerDialog
          onClose={() => setCreating(false)}
          onCreated={customerId => navigate(hrefOf(`/customers/${customerId}`))}
        />
      )}
    </Screen>
  );
}

function All() {
  const pages = usePages(ConsoleCustomersDocument, {}, data => data.customers);
  return (
    <PagedList of={pages} noun="customer" empty={<Empty title="No customers">The program has none yet.</Empty>}>
      {nodes => <Rows rows={nodes} />}
    </PagedList>
  );
}

function Found({ text }: { readonly text: string }) {
  const query = useFoundCustomers(text);
  return (
    <Answer of={query}>
      {data => {
        const rows = customersIn(data);
        return rows.length > 0 ? <Rows rows={rows} /> : <Empty title="Nobody found">{FOUND_BY}</Empty>;
      }}
    </Answer>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return <Table caption="Customers" columns={COLUMNS} rows={rows} keyOf={({ customerId }) => customerId} />;
}
