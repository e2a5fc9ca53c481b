import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleLastRunsDocument,
  ConsoleRunsDocument,
  type ConsoleRunFragment,
  type DocumentType,
} from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { csvFields } from '../../ui/csv.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';
import { STARTED_BY, lastMonths, lastYears, monthOf, titleOf } from './run-words.js';
import { StartRun } from './start-run.js';

const KINDS: readonly (readonly [DocumentType | undefined, string])[] = [
  [undefined, 'All'],
  ['STATEMENTS', 'Statements'],
  ['TAX_1099', 'Tax forms'],
];

const count = (of: number): string => of.toLocaleString('en-US');

const COLUMNS: readonly Column<ConsoleRunFragment>[] = [
  {
    label: 'Run',
    narrow: 'lead',
    cell: run => <RowLink href={hrefOf(`/statement-runs/${run.runId}`)}>{titleOf(run)}</RowLink>,
  },
  { label: 'Status', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  { label: 'Started', narrow: 'bare', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { label: 'By', cell: ({ startedBy }) => (startedBy ? STARTED_BY[startedBy] : 'Not recorded') },
  {
    label: 'Accounts',
    isEnd: true,
    cell: ({ status, doneCount, accountCount }) =>
      status === 'FINISHED' ? count(accountCount) : `${count(doneCount)} of ${count(accountCount)}`,
  },
  { label: 'Issued', isEnd: true, cell: ({ issuedCount, correctedCount }) => count(issuedCount + correctedCount) },
  { label: 'Left out', isEnd: true, cell: ({ leftOutCount }) => count(leftOutCount) },
];

const CSV = csvFields<ConsoleRunFragment>(
  'runId',
  'documentType',
  'period',
  'status',
  'startedAt',
  'finishedAt',
  'startedBy',
  'accountCount',
  'doneCount',
  'issuedCount',
  'correctedCount',
  'notOverYetCount',
  'leftOutCount',
);

/** The runs that issued statements and tax forms, by their periods. */
export function Runs() {
  const { query } = useAddress();
  const [kind] = KINDS.find(([one]) => one === query.get('kind')) ?? [];
  const { fromEnd, order } = useOrder('/statement-runs', 'Run');
  const pages = usePages(
    ConsoleRunsDocument,
    { filter: kind ? { documentType: kind } : null },
    data => data.statementRuns,
    { fromEnd },
  );
  const tabs = KINDS.map(([one, label]) => ({
    label,
    href: hrefOf('/statement-runs', { kind: one }),
    isCurrent: one === kind,
  }));
  return (
    <Screen
      title="Statement runs"
      about="The runs that issued statements and tax forms, with what was left out."
      actions={useMay('operations') && <StartButtons />}
    >
      <Tabs label="Documents" tabs={tabs} />
      <div class="card">
        <PagedList
          of={pages}
          noun="run"
          csv={CSV}
          {...{ order }}
          empty={<Empty title="No runs yet">Runs begin on the first of a month, or when somebody starts one.</Empty>}
        >
          {nodes => (
            <Table
              caption="Statement runs"
              columns={COLUMNS}
              rows={nodes}
              keyOf={({ runId }) => runId}
              {...{ order }}
            />
          )}
        </PagedList>
      </div>
    </Screen>
  );
}

/** Begins the last month and the last year that are over. A period with a finished run may be issued again. */
function StartButtons() {
  const [documentType, setDocumentType] = useState<DocumentType>();
  const now = new Date();
  const [month = ''] = lastMonths(now, 1);
  const [year = ''] = lastYears(now, 1);
  const { data } = useQuery(ConsoleLastRunsDocument, { month, year });
  if (!data) return null;
  const isFinished = (runs: typeof data.months) => runs?.nodes?.some(({ status }) => status === 'FINISHED') ?? false;
  const [nameOfMonth] = monthOf(month).split(' ');
  return (
    <>
      <Button kind={isFinished(data.months) ? 'plain' : 'primary'} onClick={() => setDocumentType('STATEMENTS')}>
        {isFinished(data.months) ? 'Close a month' : `Close ${nameOfMonth}`}
      </Button>
      <Button onClick={() => setDocumentType('TAX_1099')}>
        {isFinished(data.years) ? 'Issue 1099 again' : `Issue 1099 of ${year}`}
      </Button>
      {documentType && (
        <StartRun
          documentType={documentType}
          period={documentType === 'TAX_1099' ? year : month}
          onClose={() => setDocumentType(undefined)}
        />
      )}
    </>
  );
}
