import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import { useReloading } from '../../client/reloading.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleTaxFilingDocument,
  ConsoleTaxReturnsDocument,
  type ConsoleTaxFilingQuery,
  type ConsoleTaxReturnsQuery,
  type TaxFilingStatus,
} from '../../generated/graphql.js';
import { BASE, hrefOf, useAddress } from '../../router.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { csvFields } from '../../ui/csv.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { HandAnswer, TellOutcome } from './hand-answer.js';

type Filing = NonNullable<ConsoleTaxFilingQuery['taxFiling']>;
type File = NonNullable<Filing['transmissions']>[number];
type Return = NonNullable<NonNullable<NonNullable<ConsoleTaxReturnsQuery['taxFiling']>['returns']>['nodes']>[number];

const CSV = csvFields<Return>('part', 'recordId', 'accountId', 'statementId', 'interest', 'status');

const STATES: readonly (readonly [TaxFilingStatus | undefined, string])[] = [
  [undefined, 'All'],
  ['ACCEPTED_WITH_ERRORS', 'With errors'],
  ['REJECTED', 'Rejected'],
];

const FILES: readonly Column<File>[] = [
  { label: 'File', narrow: 'lead', cell: ({ fileName }) => fileName },
  { label: 'State', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  { label: 'Receipt', narrow: 'bare', cell: ({ receiptId }) => receiptId ?? 'No receipt yet' },
  { label: 'Returns', isEnd: true, cell: ({ formCount }) => formCount.toLocaleString('en-US') },
];
const DOWNLOAD: Column<File> = {
  label: 'For the IRS',
  isEnd: true,
  cell: ({ downloadPath, fileName }) => (
    <ButtonLink isSmall isDownload icon="download" href={`${BASE}/files${downloadPath}`} label={`Download ${fileName}`}>
      Download
    </ButtonLink>
  ),
};

const RETURNS: readonly Column<Return>[] = [
  {
    label: 'Account',
    narrow: 'lead',
    cell: ({ accountId, statementId }) => (
      <RowLink href={hrefOf(`/accounts/${encodeURIComponent(accountId)}/documents/${statementId}`)}>
        {accountId}
      </RowLink>
    ),
  },
  { label: 'State', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  {
    label: 'Interest',
    isEnd: true,
    cell: ({ interest, isZero }) => (isZero ? 'Taken back' : <Money amount={interest} currency="USD" />),
  },
  {
    label: 'Errors',
    narrow: 'bare',
    cell: ({ errors }) =>
      errors.length > 0 && (
        <ul class="bare-list">
          {errors.map(({ code, message }) => (
            <li key={code}>{`${code}: ${message}`}</li>
          ))}
        </ul>
      ),
  },
];

/** A filing with the IRS: its files, and what became of each return. */
export function FilingScreen({ filingId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleTaxFilingDocument, { filingId });
  const filing = query.data?.taxFiling;
  const mayAct = useMay('operations');
  const [asks, setAsks] = useState<'answer' | 'outcome'>();
  const onClose = () => setAsks(undefined);
  useReloading(filing?.status === 'DRAFT', query.reload);
  return (
    <Screen
      title={filing ? `${words(filing.kind)} filing of ${filing.taxYear}` : 'Filing'}
      about={filingId}
      actions={
        filing &&
        mayAct &&
        hasFiles(filing) && (
          <>
            <Button onClick={() => setAsks('answer')}>Hand over an answer</Button>
            {filing.format === 'CSV' && <Button onClick={() => setAsks('outcome')}>Tell the outcome</Button>}
          </>
        )
      }
    >
      <Answer of={query} lines={6}>
        {({ taxFiling: found }) =>
          found ? (
            <>
              <About filing={found} />
              <Returns filingId={filingId} />
            </>
          ) : (
            <div class="card">
              <Empty title="No such filing">The program has no filing with this id.</Empty>
            </div>
          )
        }
      </Answer>
      {asks === 'answer' && <HandAnswer {...{ onClose }} />}
      {asks === 'outcome' && <TellOutcome {...{ filingId, onClose }} />}
    </Screen>
  );
}

/** True for a filing whose files go to the IRS. */
const hasFiles = ({ status }: Filing): boolean => status !== 'DRAFT' && status !== 'REPLACED';

function About({ filing }: { readonly filing: Filing }) {
  const { taxYear, status, format, isTest, formCount, interest, federalTaxWithheld, createdAt, transmissions } = filing;
  return (
    <>
      <Card title="Filing">
        <Facts
          facts={[
            ['Tax year', <a href={hrefOf(`/tax/${taxYear}`)}>{String(taxYear)}</a>],
            ['State', <Status value={status} />],
            ['Made', <Time at={createdAt} />],
            ['Format', format === 'XML' ? 'XML, from system to system' : 'CSV, for the portal'],
            isTest && ['For', 'The test system of the IRS'],
            ['Returns', formCount.toLocaleString('en-US')],
            ['Interest', <Money amount={interest} currency="USD" />],
            ['Tax withheld', <Money amount={federalTaxWithheld} currency="USD" />],
          ]}
        />
      </Card>
      <Card title="Files" isFlush>
        <Table
          caption="Files"
          columns={useMay('operations') && hasFiles(filing) ? [...FILES, DOWNLOAD] : FILES}
          rows={transmissions ?? []}
          keyOf={({ part }) => String(part)}
        />
      </Card>
    </>
  );
}

function Returns({ filingId }: { readonly filingId: string }) {
  const { query } = useAddress();
  const [state] = STATES.find(([one]) => one === query.get('state')) ?? [];
  const filter = state ? { statuses: [state] } : null;
  const pages = usePages(ConsoleTaxReturnsDocument, { filingId, filter }, data => data.taxFiling?.returns);
  const tabs = STATES.map(([one, label]) => ({
    label,
    href: hrefOf(`/tax/filings/${filingId}`, { state: one }),
    isCurrent: one === state,
  }));
  return (
    <Card title="Returns" isFlush>
      <div class="inner-tabs">
        <Tabs label="Returns" tabs={tabs} />
      </div>
      <PagedList of={pages} noun="return" csv={CSV} empty={<Empty title="None">No return is in this state.</Empty>}>
        {nodes => (
          <Table
            caption="Returns"
            columns={RETURNS}
            rows={nodes}
            keyOf={({ part, recordId }) => `${part} ${recordId}`}
          />
        )}
      </PagedList>
    </Card>
  );
}
