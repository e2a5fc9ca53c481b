import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import { ConsoleEndpointsDocument, type ConsoleEndpointFragment } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { csvFields } from '../../ui/csv.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { counted } from '../../ui/words.js';
import { CreateEndpoint } from './endpoint-dialogs.js';

const COLUMNS: readonly Column<ConsoleEndpointFragment>[] = [
  {
    label: 'Endpoint',
    narrow: 'lead',
    cell: ({ endpointId, url, description }) => (
      <>
        <RowLink href={hrefOf(`/webhooks/${endpointId}`)}>
          <span class="break">{url}</span>
        </RowLink>
        {description && <div class="soft small">{description}</div>}
      </>
    ),
  },
  { label: 'Status', narrow: 'side', cell: endpoint => <EndpointStatus endpoint={endpoint} /> },
  {
    label: 'Events',
    cell: ({ types, accountIds }) =>
      [
        types.length > 0 ? counted(types.length, 'type') : 'All types',
        accountIds.length > 0 && `of ${counted(accountIds.length, 'account')}`,
      ]
        .filter(Boolean)
        .join(' '),
  },
  {
    label: 'Failing since',
    cell: ({ failingSinceAt }) => (failingSinceAt == null ? 'Not failing' : <Time at={failingSinceAt} />),
  },
  { label: 'Created', isEnd: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const CSV = csvFields<ConsoleEndpointFragment>(
  'endpointId',
  'url',
  'description',
  'status',
  'types',
  'accountIds',
  'failingSinceAt',
  'createdAt',
);

/** The addresses to which events are delivered. */
export function Webhooks() {
  const pages = usePages(ConsoleEndpointsDocument, {}, data => data.webhookEndpoints);
  const [isAdding, setAdding] = useState(false);
  const mayChange = useMay('operations');
  return (
    <Screen
      title="Webhooks"
      about="The addresses to which the events of the program are delivered."
      actions={
        mayChange && (
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            Add an endpoint
          </Button>
        )
      }
    >
      <div class="card">
        <PagedList
          of={pages}
          noun="endpoint"
          csv={CSV}
          empty={<Empty title="No endpoints">Nothing is delivered yet. Add an endpoint to follow what happens.</Empty>}
        >
          {nodes => <Table caption="Endpoints" columns={COLUMNS} rows={nodes} keyOf={({ endpointId }) => endpointId} />}
        </PagedList>
      </div>
      {isAdding && <CreateEndpoint onClose={() => setAdding(false)} />}
    </Screen>
  );
}

/** Enabled ones that fail are told from those that work. */
export function EndpointStatus({ endpoint }: { readonly endpoint: ConsoleEndpointFragment }) {
  const { status, failingSinceAt } = endpoint;
  if (status === 'ENABLED' && failingSinceAt != null) return <Status value="FAILING" tone="bad" label="Failing" />;
  return <Status value={status} tone={status === 'DISABLED' ? 'warn' : 'good'} />;
}
