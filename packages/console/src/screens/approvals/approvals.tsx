import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay, useSession } from '../../client/session.js';
import { ApprovalStatus, ConsoleApprovalsDocument, type ConsoleApprovalsQuery } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { csvFields } from '../../ui/csv.js';
import { personNamed, requestOf, type Actor } from '../../ui/happened.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';
import { useWho } from '../../ui/who.js';
import { counted, words } from '../../ui/words.js';
import { Review } from './review.js';

type Row = NonNullable<ConsoleApprovalsQuery['approvals']>['nodes'][number];

const STATUSES = Object.values(ApprovalStatus);

const columnsOf = (who: (actor: Actor) => string): readonly Column<Row>[] => [
  {
    label: 'Request',
    narrow: 'lead',
    cell: ({ approvalId, command }) => (
      <RowLink href={hrefOf(`/approvals/${approvalId}`)}>{requestOf(command)}</RowLink>
    ),
  },
  { label: 'Account', narrow: 'bare', cell: ({ accountId }) => accountId ?? 'Program' },
  { label: 'Status', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  { label: 'Asked by', cell: who },
  { label: 'Asked', cell: ({ requestedAt }) => <Time at={requestedAt} /> },
  {
    label: 'Until',
    isEnd: true,
    cell: ({ status, expiresAt, decidedAt }) => (
      <Time at={status === 'WAITING' ? expiresAt : (decidedAt ?? expiresAt)} />
    ),
  },
];

const CSV = csvFields<Row>(
  'approvalId',
  'command',
  'accountId',
  'status',
  'clientId',
  'subject',
  'requestedAt',
  'expiresAt',
  'decidedBy',
  'decidedAt',
);

/** Lists the requests that wait for a second person, or waited. */
export function Approvals() {
  const { query } = useAddress();
  const asked = query.get('status');
  const status = asked === 'all' ? undefined : (STATUSES.find(one => one === asked) ?? 'WAITING');
  const { fromEnd, order } = useOrder('/approvals', 'Asked');
  const pages = usePages(
    ConsoleApprovalsDocument,
    { filter: status ? { statuses: [status] } : null },
    data => data.approvals,
    { fromEnd },
  );
  const mayDecide = useMay('approvals');
  const { subject } = useSession();
  const [isReviewing, setReviewing] = useState(false);
  const waiting = pages.nodes.filter(row => row.status === 'WAITING' && row.subject !== subject);
  const tabs = [...STATUSES, undefined].map(one => ({
    label: one ? words(one) : 'All',
    href: hrefOf('/approvals', { status: one === 'WAITING' ? null : (one ?? 'all') }),
    isCurrent: one === status,
  }));
  const who = useWho();
  const all = columnsOf(who);
  const columns =
    status === 'WAITING' ? all : all.map(column => (column.label === 'Until' ? decidedColumn(who) : column));
  return (
    <Screen
      title="Approvals"
      about="Requests that are carried out when a second person approves them."
      actions={
        mayDecide &&
        waiting.length > 0 && (
          <Button onClick={() => setReviewing(true)}>Review {counted(waiting.length, 'request')}</Button>
        )
      }
    >
      <Tabs label="Status" tabs={tabs} />
      <div class="card">
        <PagedList
          of={pages}
          noun="approval"
          csv={CSV}
          {...{ order }}
          empty={
            status === 'WAITING' ? (
              <Empty title="Nothing waits">Requests that need a second person appear here.</Empty>
            ) : (
              <Empty title="No approvals">The program has none with this status.</Empty>
            )
          }
        >
          {nodes => (
            <Table caption="Approvals" rows={nodes} keyOf={({ approvalId }) => approvalId} {...{ columns, order }} />
          )}
        </PagedList>
      </div>
      {isReviewing && <Review waiting={waiting} onClose={() => setReviewing(false)} />}
    </Screen>
  );
}

const decidedColumn = (who: (actor: Actor) => string): Column<Row> => ({
  label: 'Decided',
  isEnd: true,
  cell: ({ decidedAt, decidedBy }) =>
    decidedAt == null ? (
      'Not yet'
    ) : (
      <>
        <Time at={decidedAt} />
        {decidedBy && <span class="soft"> by {personNamed(decidedBy, who)}</span>}
      </>
    ),
});
