import { usePages } from '../../client/pages.js';
import { ConsoleEventsDocument, type ConsoleEventsQuery, type EventFilter } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Data } from '../../ui/data.js';
import { Facts } from '../../ui/facts.js';
import { Filters } from '../../ui/filters.js';
import { byWhom, happened } from '../../ui/happened.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { HistoryScreen } from './history-screen.js';

type Row = NonNullable<ConsoleEventsQuery['events']>['nodes'][number];

const COLUMNS: readonly Column<Row>[] = [
  {
    label: 'Change',
    narrow: 'lead',
    cell: event => (
      <details class="more">
        <summary>{happened(event)}</summary>
        <Details event={event} />
      </details>
    ),
  },
  {
    label: 'Account',
    narrow: 'bare',
    cell: ({ accountId }) =>
      accountId == null ? (
        'Program'
      ) : (
        <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}/events`)}>{accountId}</a>
      ),
  },
  { label: 'By', cell: ({ audit }) => audit && byWhom(audit) },
  { label: 'Outcome', narrow: 'side', cell: ({ audit }) => audit && <Status value={audit.outcome} /> },
  { label: 'When', narrow: 'bare', isEnd: true, cell: ({ occurredAt }) => <Time at={occurredAt} withSeconds /> },
];

function Details({ event: { eventId, object, audit } }: { readonly event: Row }) {
  if (!audit) return null;
  const { clientId, requestId, chainSeq, data } = audit;
  return (
    <Facts
      isLines
      facts={[
        object != null && ['Changed', object],
        ['Facts', <Data data={data} />],
        ['Client', clientId],
        ['Request', <a href={hrefOf('/history', { request: requestId })}>{requestId}</a>],
        ['Event', chainSeq == null ? eventId : `${eventId}, number ${chainSeq} of its chain`],
      ]}
    />
  );
}

/** Who did what in the program. */
export function Changes() {
  const { query } = useAddress();
  const filter = filterOf(query);
  const pages = usePages(ConsoleEventsDocument, { filter }, data => data.events);
  return (
    <HistoryScreen current="changes">
      <Filters
        noun="changes"
        path="/history"
        filters={{
          account: { label: 'Account', placeholder: 'demo-1001' },
          action: { label: 'Command', placeholder: 'card.freeze' },
          by: { label: 'By' },
          client: { label: 'Client' },
          outcome: {
            label: 'Outcome',
            options: [
              ['DONE', 'Done'],
              ['DENIED', 'Denied'],
            ],
          },
          from: { label: 'From', type: 'date' },
          to: { label: 'To', type: 'date' },
          request: { label: 'Request id' },
        }}
      />
      <div class="card">
        <PagedList
          of={pages}
          noun="change"
          empty={
            <Empty title="No changes">
              {filter ? 'None matches the filter.' : 'Everything that somebody changes appears here.'}
            </Empty>
          }
        >
          {nodes => <Table caption="Changes" columns={COLUMNS} rows={nodes} keyOf={({ eventId }) => eventId} />}
        </PagedList>
      </div>
    </HistoryScreen>
  );
}

function filterOf(query: URLSearchParams): EventFilter | null {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const outcome = query.get('outcome');
  const action = text('action');
  const filter: EventFilter = {
    accountId: text('account'),
    action: action ? [action] : undefined,
    subject: text('by'),
    clientId: text('client'),
    outcome: outcome === 'DONE' || outcome === 'DENIED' ? outcome : undefined,
    occurredFrom: midnight(text('from'), 0),
    occurredBefore: midnight(text('to'), 1),
    requestId: text('request'),
  };
  return Object.values(filter).some(value => value !== undefined) ? filter : null;
}

/** The beginning of a day where the operator is, or of one some days later. */
function midnight(day: string | undefined, daysLater: number): string | undefined {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  return year ? new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString() : undefined;
}
