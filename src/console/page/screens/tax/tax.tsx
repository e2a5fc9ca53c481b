import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import {
  ConsoleTaxPayeesDocument,
  ConsoleTaxYearDocument,
  type ConsoleFilingFragment,
  type ConsoleTaxPayeesQuery,
  type ConsoleTaxYearQuery,
  type TaxPayeeList,
} from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';

type Year = NonNullable<ConsoleTaxYearQuery['taxYear']>;
type Step = Year['steps'][number];
type Payee = NonNullable<NonNullable<NonNullable<ConsoleTaxPayeesQuery['taxYear']>['payees']>['nodes']>[number];

const LISTS: readonly (readonly [TaxPayeeList, string])[] = [
  ['POST', 'To post'],
  ['BACKUP_WITHHOLDING', 'Not certified'],
  ['FORM_1042_S', 'Foreign'],
  ['SAME_TAX_ID', 'Same tax id'],
];

const count = (of: number): string => of.toLocaleString('en-US');
const dayOf = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A tax year: what is to do until when, what was filed, and about whom something is to do. */
export function Tax({ taxYear: named }: Readonly<Record<string, string>>) {
  const taxYear = /^\d{4}$/.test(named ?? '')
    ? Number(named)
    : new Date().getUTCFullYear() - (new Date().getUTCMonth() > 5 ? 0 : 1);
  const query = useQuery(ConsoleTaxYearDocument, { taxYear, period: String(taxYear) });
  const years = [taxYear - 1, taxYear, taxYear + 1].map(year => ({
    label: String(year),
    href: hrefOf(`/tax/${year}`),
    isCurrent: year === taxYear,
  }));
  return (
    <Screen title={`Tax year ${taxYear}`} about="Forms 1099-INT: what is to do, what was filed, and about whom.">
      <Tabs label="Tax years" tabs={years} />
      <Answer of={query} lines={8}>
        {({ taxYear: year, taxFilings, statementRuns }) =>
          year ? (
            <>
              <Steps year={year} run={statementRuns?.nodes?.[0]} />
              <Filings filings={taxFilings?.nodes ?? []} />
            </>
          ) : (
            <Empty title="No such tax year">Choose another year.</Empty>
          )
        }
      </Answer>
      <Payees key={taxYear} taxYear={taxYear} />
    </Screen>
  );
}

const STEP_COLUMNS: readonly Column<Step>[] = [
  { label: 'What', narrow: 'lead', cell: ({ text }) => text },
  {
    label: 'State',
    narrow: 'side',
    cell: ({ isDone }) => <Status value={isDone ? 'DONE' : 'WAITING'} label={isDone ? 'Done' : 'To do'} />,
  },
  { label: 'Until', narrow: 'bare', cell: ({ dueOn }) => (dueOn == null ? 'At once' : dayOf(dueOn)) },
  { label: 'How many', isEnd: true, cell: ({ count: of }) => (of == null ? '' : count(of)) },
];

function Steps({
  year,
  run,
}: {
  readonly year: Year;
  readonly run: { readonly runId: string; readonly leftOutCount: number } | undefined;
}) {
  const { steps, returns, forms, correctedForms } = year;
  return (
    <>
      <Card title="What is to do" isFlush>
        <Table caption="What is to do" columns={STEP_COLUMNS} rows={steps} keyOf={({ code }) => code} />
      </Card>
      <Card title="Forms and returns">
        <Facts
          facts={[
            ['Accounts with a form', count(forms)],
            ['Corrected forms', count(correctedForms)],
            run && [
              'Left out',
              <a href={hrefOf(`/statement-runs/${run.runId}`)}>{`${count(run.leftOutCount)}, with the reasons`}</a>,
            ],
            ...returns.map(({ state, returns: of }) => [`Returns ${words(state).toLowerCase()}`, count(of)] as const),
          ]}
        />
      </Card>
    </>
  );
}

export const FILING_COLUMNS: readonly Column<ConsoleFilingFragment>[] = [
  {
    label: 'Filing',
    narrow: 'lead',
    cell: ({ filingId, kind, isTest }) => (
      <RowLink href={hrefOf(`/tax-filings/${filingId}`)}>{`${words(kind)}${isTest ? ', test' : ''}`}</RowLink>
    ),
  },
  { label: 'State', narrow: 'side', cell: ({ state }) => <Status value={state} /> },
  { label: 'Made', narrow: 'bare', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { label: 'Returns', isEnd: true, cell: ({ forms }) => count(forms) },
  { label: 'Interest', isEnd: true, cell: ({ interest }) => `${interest} USD` },
];

function Filings({ filings }: { readonly filings: readonly ConsoleFilingFragment[] }) {
  return (
    <Card title="Filings" isFlush>
      {filings.length > 0 ? (
        <Table caption="Filings" columns={FILING_COLUMNS} rows={filings} keyOf={({ filingId }) => filingId} />
      ) : (
        <Empty title="Nothing was filed">The command tillgate tax file writes the returns for the IRS.</Empty>
      )}
    </Card>
  );
}

const PAYEE_COLUMNS: readonly Column<Payee>[] = [
  {
    label: 'Customer',
    narrow: 'lead',
    cell: ({ customerId }) => <RowLink href={hrefOf(`/customers/${customerId}`)}>{customerId}</RowLink>,
  },
  {
    label: 'Account',
    narrow: 'bare',
    cell: ({ accountId }) =>
      accountId == null ? '' : <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}/documents`)}>{accountId}</a>,
  },
  { label: 'Status', narrow: 'bare', cell: ({ taxStatus }) => (taxStatus == null ? 'Not recorded' : words(taxStatus)) },
  { label: 'Since', cell: ({ taxStatusOn }) => (taxStatusOn == null ? '' : dayOf(taxStatusOn)) },
];

function Payees({ taxYear }: { readonly taxYear: number }) {
  const { query } = useAddress();
  const [list] = LISTS.find(([one]) => one === query.get('list')) ?? LISTS[0] ?? ['POST'];
  const pages = usePages(ConsoleTaxPayeesDocument, { taxYear, list }, data => data.taxYear?.payees);
  const tabs = LISTS.map(([one, label]) => ({
    label,
    href: hrefOf(`/tax/${taxYear}`, { list: one }),
    isCurrent: one === list,
  }));
  return (
    <Card title="Customers" isFlush>
      <Tabs label="Customers" tabs={tabs} />
      <PagedList of={pages} noun="customer" empty={<Empty title="Nobody">Nothing is to do about these.</Empty>}>
        {nodes => (
          <Table
            caption="Customers"
            columns={PAYEE_COLUMNS}
            rows={nodes}
            keyOf={({ customerId, accountId }) => `${customerId} ${accountId ?? ''}`}
          />
        )}
      </PagedList>
    </Card>
  );
}
