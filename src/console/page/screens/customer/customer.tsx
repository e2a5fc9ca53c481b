import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import {
  ConsoleCustomerAccountsDocument,
  ConsoleCustomerDocument,
  type ConsoleCustomerQuery,
} from '../../generated/graphql.js';
import { Card } from '../../ui/card.js';
import { Copy } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { PagedList } from '../../ui/pages.js';
import { addressLine } from '../../ui/person.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { Day } from '../../ui/time.js';
import { nameOf, words } from '../../ui/words.js';
import { ACCOUNT_COLUMNS, ACCOUNT_CSV } from '../accounts/accounts.js';

/** A customer and their accounts. */
export function CustomerScreen({ customerId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleCustomerDocument, { customerId });
  const pages = usePages(ConsoleCustomerAccountsDocument, { customerId }, data => data.accounts);
  const customer = query.data?.customer;
  return (
    <Screen
      title={customer ? nameOf(customer.name) : 'Customer'}
      about={
        <span class="with-copy">
          {customerId} <Copy text={customerId} label="customer id" />
        </span>
      }
    >
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
      <Card title="Person">
        <Answer of={query}>
          {({ customer: person }) =>
            person ? (
              <Facts
                isLines
                facts={[
                  ['Tax id', person.taxId ? `${person.taxId} (${person.taxIdCountry ?? ''})` : 'None'],
                  ['Tax status', <TaxStatus customer={person} />],
                  person.secondTinNoticeOn != null && ['Second TIN notice', <Day on={person.secondTinNoticeOn} />],
                  [
                    'Tax forms',
                    person.electronicTaxFormsOn == null ? (
                      'By post'
                    ) : (
                      <>
                        Electronic, consent of <Day on={person.electronicTaxFormsOn} />
                      </>
                    ),
                  ],
                  ['Government id', person.governmentId ?? 'None'],
                  ...person.contact.email.map(address => ['E-mail', address] as const),
                  ...person.contact.telephones.map(({ type, number }) => [`${words(type)} phone`, number] as const),
                  ...person.addresses.map(address => [`${words(address.type)} address`, addressLine(address)] as const),
                ]}
              />
            ) : (
              <Empty title="No such customer">The program has no customer with this id.</Empty>
            )
          }
        </Answer>
      </Card>
    </Screen>
  );
}

type Customer = NonNullable<ConsoleCustomerQuery['customer']>;

function TaxStatus({ customer: { taxStatus, taxStatusOn } }: { readonly customer: Customer }) {
  if (taxStatus == null || taxStatusOn == null) return <>Not recorded</>;
  return (
    <>
      {words(taxStatus)}, from <Day on={taxStatusOn} />
    </>
  );
}
