import { usePages } from '../../client/pages.js';
import {
  ConsoleTaxPayeesDocument,
  type ConsoleTaxPayeesQuery,
  type TaxPayeeList,
  type UnfiledReason,
} from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { csvFields } from '../../ui/csv.js';
import { Money } from '../../ui/money.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Day } from '../../ui/time.js';
import { nameOf, words } from '../../ui/words.js';

type Payee = NonNullable<NonNullable<NonNullable<ConsoleTaxPayeesQuery['taxYear']>['payees']>['nodes']>[number];

/** Why a form cannot be filed, and what helps. */
const REASONS: Readonly<Record<UnfiledReason, string>> = {
  UNFILABLE_NAME: 'The name has letters other than A to Z, which the IRS does not take. Correct it, or file on paper.',
  UNFILABLE_ADDRESS:
    'The address lacks a city or a ZIP code, has letters that the IRS does not take, or a word that is longer than a line. Correct it.',
  UNFILABLE_TAX_ID:
    'There is no tax id of nine digits. Ask for it with Form W-9, and withhold 24 percent of the interest until it is given (26 USC 3406). Without it, file on paper.',
  UNFILABLE_FORM: 'The form was issued before names and addresses were kept in parts. Issue the year again.',
};

const CUSTOMER: Column<Payee> = {
  label: 'Customer',
  narrow: 'lead',
  cell: ({ customerId, customer }) => (
    <RowLink href={hrefOf(`/customers/${customerId}`)}>{customer ? nameOf(customer.name) : customerId}</RowLink>
  ),
};
const FORM_COLUMNS: readonly Column<Payee>[] = [
  CUSTOMER,
  {
    label: 'Account',
    narrow: 'bare',
    cell: ({ accountId }) =>
      accountId != null && <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}`)}>{accountId}</a>,
  },
  {
    label: 'Form',
    narrow: 'bare',
    cell: ({ accountId, statementId }) =>
      accountId != null &&
      statementId != null && (
        <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}/documents/${statementId}`)}>Form 1099-INT</a>
      ),
  },
  {
    label: 'Interest',
    narrow: 'side',
    isEnd: true,
    cell: ({ interest, currency }) =>
      interest != null && <Money amount={interest} {...(currency != null && { currency })} />,
  },
];
const REASON: Column<Payee> = {
  label: 'Reason',
  narrow: 'bare',
  cell: ({ reason }) => reason != null && REASONS[reason],
};
const STATUS_COLUMNS: readonly Column<Payee>[] = [
  CUSTOMER,
  { label: 'Tax status', cell: ({ taxStatus }) => (taxStatus == null ? 'Not recorded' : words(taxStatus)) },
  { label: 'From', cell: ({ taxStatusOn }) => taxStatusOn != null && <Day on={taxStatusOn} /> },
];

interface PayeeList {
  readonly list: TaxPayeeList;
  readonly label: string;
  readonly noun: 'form' | 'customer';
  readonly columns: readonly Column<Payee>[];
  readonly empty: string;
}

const ofForms = (list: TaxPayeeList, label: string, empty: string, columns = FORM_COLUMNS): PayeeList => ({
  list,
  label,
  noun: 'form',
  columns,
  empty,
});
const ofCustomers = (list: TaxPayeeList, label: string, empty: string, columns = STATUS_COLUMNS): PayeeList => ({
  list,
  label,
  noun: 'customer',
  columns,
  empty,
});

const CORRECTIONS = ofForms(
  'CORRECTIONS',
  'To correct',
  'No return that the IRS has accepted has errors or is outdated.',
);
const LISTS: readonly PayeeList[] = [
  CORRECTIONS,
  ofForms('NOT_FILED', 'Not filed', 'The last filing took every form.', [...FORM_COLUMNS, REASON]),
  ofForms('POST', 'To post', 'Every recipient has consented to electronic forms alone.'),
  ofCustomers('BACKUP_WITHHOLDING', 'To withhold from', 'Every payee has given a tax id and certified it.', [
    ...STATUS_COLUMNS,
    REASON,
  ]),
  ofCustomers('FORM_1042_S', 'Foreign', 'No customer is recorded as foreign.'),
  ofCustomers('SAME_TAX_ID', 'Same tax id', 'No two customers have the same tax id.'),
  ofForms('FORMS', 'With a form', 'The forms of the year are not issued yet.'),
];

const CSV = csvFields<Payee>(
  'customerId',
  'accountId',
  'statementId',
  'interest',
  'currency',
  'reason',
  'taxStatus',
  'taxStatusOn',
);

/** The customers of a tax year, by why they are listed. */
export function Payees({ taxYear }: { readonly taxYear: number }) {
  const { query } = useAddress();
  const { list, noun, columns, empty } = LISTS.find(one => one.list === query.get('list')) ?? CORRECTIONS;
  const pages = usePages(ConsoleTaxPayeesDocument, { taxYear, list }, data => data.taxYear?.payees);
  const tabs = LISTS.map(one => ({
    label: one.label,
    href: hrefOf(`/tax/${taxYear}`, { list: one.list }),
    isCurrent: one.list === list,
  }));
  return (
    <Card title="Customers" isFlush>
      <div class="inner-tabs">
        <Tabs label="Customers" tabs={tabs} />
      </div>
      <PagedList of={pages} noun={noun} csv={CSV} empty={<Empty title="Nobody">{empty}</Empty>}>
        {nodes => (
          <Table
            caption="Customers"
            columns={columns}
            rows={nodes}
            keyOf={({ customerId, accountId }) => `${customerId} ${accountId ?? ''}`}
          />
        )}
      </PagedList>
    </Card>
  );
}
