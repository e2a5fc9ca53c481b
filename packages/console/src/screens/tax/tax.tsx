import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useReloading } from '../../client/reloading.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleTaxYearDocument,
  type ConsoleFilingFragment,
  type ConsoleTaxYearQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Day, Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { LeftOutAccounts } from '../runs/run.js';
import { StartRun } from '../runs/start-run.js';
import { FileReturns } from './file-returns.js';
import { HandAnswer } from './hand-answer.js';
import { Payees } from './payees.js';

type Year = NonNullable<ConsoleTaxYearQuery['taxYear']>;
type Step = Year['steps'][number];

/** From July on it is the year that goes on, whose payees are looked after; before, the one whose forms are due. */
const FIRST_MONTH_OF_YEAR_ITSELF = 6;

const count = (of: number): string => of.toLocaleString('en-US');

/** A tax year: what is to do until when, what was filed, and about whom something is to do. */
export function Tax({ taxYear: named }: Readonly<Record<string, string>>) {
  const taxYear = /^\d{4}$/.test(named ?? '') ? Number(named) : presentYear(new Date());
  const mayIssue = useMay('operations');
  const [asks, setAsks] = useState<'issue' | 'file' | 'answer'>();
  const onClose = () => setAsks(undefined);
  const query = useQuery(ConsoleTaxYearDocument, { taxYear, period: String(taxYear) });
  useReloading(query.data?.taxFilings?.nodes?.some(({ status }) => status === 'DRAFT') ?? false, query.reload);
  const years = [taxYear - 1, taxYear, taxYear + 1].map(year => ({
    label: String(year),
    href: hrefOf(`/tax/${year}`),
    isCurrent: year === taxYear,
  }));
  return (
    <Screen
      title={`Tax year ${taxYear}`}
      about="Forms 1099-INT: what is to do, what was filed, and about whom."
      actions={
        <>
          {mayIssue && (
            <>
              <Button onClick={() => setAsks('issue')}>Issue the forms</Button>
              <Button onClick={() => setAsks('file')}>File the returns</Button>
              <Button onClick={() => setAsks('answer')}>Hand over an answer</Button>
            </>
          )}
          <Button onClick={() => print()}>Print</Button>
        </>
      }
    >
      <Tabs label="Tax years" tabs={years} />
      <Answer of={query} lines={8}>
        {({ taxYear: year, taxFilings, statementRuns }) => {
          const run = statementRuns?.nodes?.[0];
          if (!year) return <Empty title="No such tax year">Choose another year.</Empty>;
          return (
            <>
              <Steps steps={year.steps} />
              <Counts year={year} leftOut={run?.leftOutCount} />
              <Filings filings={taxFilings?.nodes ?? []} />
              {run && run.leftOutCount > 0 && (
                <div class="screen-only">
                  <LeftOutAccounts key={run.runId} run={run} noun="form" />
                </div>
              )}
            </>
          );
        }}
      </Answer>
      <div class="screen-only">
        <Payees key={taxYear} taxYear={taxYear} />
      </div>
      {asks === 'issue' && <StartRun documentType="TAX_1099" period={String(taxYear)} {...{ onClose }} />}
      {asks === 'file' && <FileReturns {...{ taxYear, onClose }} />}
      {asks === 'answer' && <HandAnswer {...{ onClose }} />}
    </Screen>
  );
}

function presentYear(now: Date): number {
  return now.getUTCFullYear() - (now.getUTCMonth() < FIRST_MONTH_OF_YEAR_ITSELF ? 1 : 0);
}

/** The words of each step, for the people who do it. */
const STEPS: Readonly<Record<Step['code'], string>> = {
  ISSUE: 'Issue the Forms 1099-INT.',
  POST: 'Post the forms of recipients who have not consented to electronic forms alone.',
  FILE: 'Write the returns for the IRS: File the returns.',
  SEND: 'Download the files from their filing, send them to the IRS, and hand over its answer.',
  REPLACE: 'The IRS has rejected returns: remove the reason, and file them again.',
  NOT_FILED: 'Remove what keeps forms from being filed, and file again. Or file them on paper.',
  CORRECT:
    'Correct returns that the IRS has accepted: correct the customers with errors, issue the year again, and file the corrections.',
  WITHHOLD:
    'Withhold 24 percent of interest from customers who have given no tax id, or have not certified it (26 USC 3406).',
  FORM_1042_S: 'Report the interest of foreign customers on Form 1042-S.',
};

const STEP_COLUMNS: readonly Column<Step>[] = [
  { label: 'What', narrow: 'lead', cell: ({ code }) => STEPS[code] },
  {
    label: 'State',
    narrow: 'side',
    cell: ({ isDone }) => <Status value={isDone ? 'DONE' : 'WAITING'} label={isDone ? 'Done' : 'To do'} />,
  },
  { label: 'Until', narrow: 'bare', cell: ({ dueOn }) => (dueOn == null ? 'At once' : <Day on={dueOn} />) },
  { label: 'How many', isEnd: true, cell: ({ code, count: of }) => of != null && countOf(code, of) },
];

/** Where the gateway stops counting customers. */
const MAX_COUNTED = 10_000;

function countOf(code: Step['code'], of: number): string {
  return code !== 'ISSUE' && of >= MAX_COUNTED ? `${count(of)} or more` : count(of);
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <Card title="What is to do" isFlush>
      <Table caption="What is to do" columns={STEP_COLUMNS} rows={steps} keyOf={({ code }) => code} />
      <div class="list-foot">
        Forms are due to recipients by January 31, Form 1042-S by March 15, and returns to the IRS by March 31. A day at
        a weekend is the Monday after it.
      </div>
    </Card>
  );
}

function Counts({ year, leftOut }: { readonly year: Year; readonly leftOut: number | undefined }) {
  const { returns, formCount, correctedFormCount } = year;
  return (
    <Card title="Forms and returns">
      <Facts
        facts={[
          ['Accounts with a form', count(formCount)],
          ['Corrected forms', count(correctedFormCount)],
          leftOut !== undefined && ['Accounts left out', count(leftOut)],
          ...returns.map(
            ({ status, returnCount: of }) => [`Returns ${words(status).toLowerCase()}`, count(of)] as const,
          ),
        ]}
      />
    </Card>
  );
}

const FILING_COLUMNS: readonly Column<ConsoleFilingFragment>[] = [
  {
    label: 'Filing',
    narrow: 'lead',
    cell: ({ filingId, kind, isTest }) => (
      <RowLink href={hrefOf(`/tax/filings/${filingId}`)}>{`${words(kind)}${isTest ? ', test' : ''}`}</RowLink>
    ),
  },
  { label: 'State', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  { label: 'Made', narrow: 'bare', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { label: 'Returns', isEnd: true, cell: ({ formCount }) => count(formCount) },
  { label: 'Interest', isEnd: true, cell: ({ interest }) => <Money amount={interest} currency="USD" /> },
];

function Filings({ filings }: { readonly filings: readonly ConsoleFilingFragment[] }) {
  return (
    <Card title="Filings" isFlush>
      {filings.length > 0 ? (
        <Table caption="Filings" columns={FILING_COLUMNS} rows={filings} keyOf={({ filingId }) => filingId} />
      ) : (
        <Empty title="Nothing was filed">
          Once the forms are issued, file the returns: the files for the IRS appear here.
        </Empty>
      )}
    </Card>
  );
}
