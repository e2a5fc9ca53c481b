import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleCustomerAccountsDocument,
  ConsoleCustomerDocument,
  ConsoleCustomerPartsDocument,
} from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Copy } from '../../ui/copy.js';
import { Menu } from '../../ui/menu.js';
import { MenuItem } from '../../ui/menu-item.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { nameOf } from '../../ui/words.js';
import { RevealDialog, useMayReveal } from '../account/reveal.js';
import { ACCOUNT_COLUMNS, ACCOUNT_CSV } from '../accounts/accounts.js';
import { OpenAccount } from '../accounts/open-account.js';
import { CustomerDialog } from '../customers/customer-dialog.js';
import type { Customer } from '../customers/customer-fields.js';
import { NotesCard } from '../notes/notes.js';
import { CustomerChanges } from './customer-changes.js';
import { CustomerCards, CustomerDocuments, CustomerLimits, CustomerMovements, MAX_ACCOUNTS } from './customer-parts.js';
import { EraseCustomer } from './erase-customer.js';
import { Person } from './person.js';

type DialogOf = 'edit' | 'open' | 'reveal' | 'erase';

/** All of a person: who they are, and what belongs to them. */
export function CustomerScreen({ customerId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleCustomerDocument, { customerId });
  const parts = useQuery(ConsoleCustomerPartsDocument, { customerId, first: MAX_ACCOUNTS });
  const [dialog, setDialog] = useState<DialogOf>();
  const customer = query.data?.customer;
  const accountId = parts.data?.accounts?.nodes[0]?.accountId;
  const close = (): void => setDialog(undefined);
  return (
    <Screen
      title={customer ? nameOf(customer.name) : 'Customer'}
      about={
        <span class="with-copy">
          {customerId} <Copy text={customerId} label="customer id" />
        </span>
      }
      actions={customer && <Actions {...{ customer, accountId, onAsk: setDialog }} />}
    >
      <Answer of={query}>
        {({ customer: person }) =>
          person ? (
            <>
              <Person customer={person} />
              <Accounts customerId={customerId} />
              <CustomerMovements parts={parts} />
              <CustomerCards {...{ customerId, parts }} />
              <CustomerDocuments parts={parts} />
              <CustomerLimits parts={parts} />
              <NotesCard about={{ customerId }} name={nameOf(person.name)} />
              <CustomerChanges customerId={customerId} />
            </>
          ) : (
            <div class="card">
              <Empty title="No such customer">The program has no customer with this id.</Empty>
            </div>
          )
        }
      </Answer>
      {customer && dialog === 'edit' && <CustomerDialog customer={customer} onClose={close} />}
      {customer && dialog === 'open' && <OpenAccount owners={[customer]} onClose={close} />}
      {customer && dialog === 'erase' && <EraseCustomer customer={customer} onClose={close} />}
      {customer && accountId !== undefined && dialog === 'reveal' && (
        <RevealDialog who={{ accountId, customerId }} name={nameOf(customer.name)} onClose={close} />
      )}
    </Screen>
  );
}

interface ActionsProps {
  readonly customer: Customer;
  /** In whose events a reveal is recorded; there is none for somebody without an account. */
  readonly accountId: string | undefined;
  readonly onAsk: (dialog: DialogOf) => void;
}

function Actions({ customer, accountId, onAsk }: ActionsProps) {
  const mayChange = useMay('operations') && customer.erasedAt == null;
  const mayReveal = useMayReveal() && accountId !== undefined;
  return (
    <>
      {mayChange && <Button onClick={() => onAsk('open')}>Open account</Button>}
      {mayChange && <Button onClick={() => onAsk('edit')}>Edit</Button>}
      {(mayReveal || mayChange) && (
        <Menu label={nameOf(customer.name)}>
          {mayReveal && (
            <MenuItem
              label="Reveal personal data"
              about="Asks for a reason, which is recorded."
              onClick={() => onAsk('reveal')}
            />
          )}
          {mayChange && (
            <MenuItem
              label="Erase personal data"
              about="Erases for good. The customer must have no open account and no usable card."
              isDangerous
              onClick={() => onAsk('erase')}
            />
          )}
        </Menu>
      )}
    </>
  );
}

function Accounts({ customerId }: { readonly customerId: string }) {
  const pages = usePages(ConsoleCustomerAccountsDocument, { customerId }, data => data.accounts);
  return (
    <Card title="Accounts" isFlush>
      <PagedList
        of={pages}
        noun="account"
        csv={ACCOUNT_CSV}
        empty={<Empty title="No accounts">This customer owns no account.</Empty>}
      >
        {nodes => (
          <Table caption="Accounts" columns={ACCOUNT_COLUMNS} rows={nodes} keyOf={({ accountId }) => accountId} />
        )}
      </PagedList>
    </Card>
  );
}
