import { usePages } from '../../client/pages.js';
import {
  ConsoleDeliveriesDocument,
  type ConsoleDeliveryFragment,
  type WebhookDeliveryFilter,
  WebhookDeliveryStatus,
} from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { csvFields } from '../../ui/csv.js';
import { Filters } from '../../ui/filters.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { EVENT_TYPES } from '../../ui/codes.js';
import { words } from '../../ui/words.js';

const STATUSES = Object.values(WebhookDeliveryStatus);

/** Says why a delivery that waits has no time: those of an account are sent one after another. */
export function waitsBehind(status: string): string | null {
  return status === 'PENDING' ? 'Waits behind an earlier one' : null;
}

const FILTERS = {
  status: { label: 'Status', options: STATUSES.map(status => [status, words(status)] as const) },
  type: { label: 'Event', codes: EVENT_TYPES, placeholder: 'transaction.posted' },
  account: { label: 'Account', placeholder: 'demo-1001' },
} as const;

const COLUMNS: readonly Column<ConsoleDeliveryFragment>[] = [
  {
    label: 'Event',
    narrow: 'lead',
    cell: ({ endpointId, deliveryId, type }) => (
      <RowLink href={hrefOf(`/webhooks/${endpointId}/${deliveryId}`)}>{type}</RowLink>
    ),
  },
  { label: 'Account', narrow: 'bare', cell: ({ accountId }) => accountId ?? 'Program' },
  { label: 'Status', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  { label: 'Attempts', isEnd: true, cell: ({ attemptCount }) => attemptCount },
  {
    label: 'Next attempt',
    cell: ({ status, nextAttemptAt }) =>
      nextAttemptAt == null ? (waitsBehind(status) ?? 'None') : <Time at={nextAttemptAt} />,
  },
  { label: 'Since', isEnd: true, cell: ({ createdAt }) => <Time at={createdAt} withSeconds /> },
];

const CSV = csvFields<ConsoleDeliveryFragment>(
  'deliveryId',
  'webhookId',
  'type',
  'accountId',
  'status',
  'attemptCount',
  'nextAttemptAt',
  'createdAt',
);

/** Lists what was sent to an endpoint in the last 30 days. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const { query } = useAddress();
  const filter = filterOf(query);
  const pages = usePages(ConsoleDeliveriesDocument, { endpointId, filter }, data => data.webhookEndpoint?.deliveries);
  return (
    <Card title="Deliveries" isFlush>
      <PagedList
        of={pages}
        noun="delivery"
        many="deliveries"
        filters={<Filters noun="deliveries" path={`/webhooks/${endpointId}`} filters={FILTERS} />}
        csv={CSV}
        empty={
          <Empty title="No deliveries">
            {filter ? 'None matches the filter.' : 'Nothing was sent in the last 30 days.'}
          </Empty>
        }
      >
        {nodes => <Table caption="Deliveries" columns={COLUMNS} rows={nodes} keyOf={({ deliveryId }) => deliveryId} />}
      </PagedList>
    </Card>
  );
}

function filterOf(query: URLSearchParams): WebhookDeliveryFilter | null {
  const status = STATUSES.find(one => one === query.get('status'));
  const type = query.get('type');
  const accountId = query.get('account');
  if (!status && !type && !accountId) return null;
  return {
    ...(status && { statuses: [status] }),
    ...(type && { types: type.split(/[\s,]+/).filter(Boolean) }),
    ...(accountId && { accountId }),
  };
}
