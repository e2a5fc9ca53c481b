import { usePages } from '../../client/pages.js';
import {
  ConsoleRequestsDocument,
  RequestApi,
  type ApiRequestFilter,
  type ConsoleRequestFragment,
} from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { csvFields, type CsvColumn } from '../../ui/csv.js';
import { midnight } from '../../ui/filter-words.js';
import { Filters } from '../../ui/filters.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { RequestTable } from './request-table.js';

const FILTERS = {
  days: { label: 'When', type: 'date', range: ['from', 'to'] },
  client: { label: 'Client', placeholder: 'The client id, such as core' },
  code: { label: 'Code', placeholder: 'account_not_found' },
  refused: {
    label: 'Outcome',
    options: [
      ['true', 'Refused'],
      ['false', 'Not refused'],
    ],
  },
  replay: {
    label: 'Replay',
    options: [
      ['true', 'Replays'],
      ['false', 'No replays'],
    ],
  },
  by: { label: 'By', placeholder: 'The subject, such as teller-07' },
  operation: { label: 'Operation', placeholder: 'POST /accounts/:accountId/close' },
  api: {
    label: 'API',
    options: [
      ['REST', 'REST'],
      ['GRAPHQL', 'GraphQL'],
    ],
  },
  request: { label: 'Request id' },
} as const;

const VIEWS = [
  ['All', {}],
  ['Refused', { refused: 'true' }],
  ['Replays', { replay: 'true' }],
] as const;

const CSV: readonly CsvColumn<ConsoleRequestFragment>[] = [
  ...csvFields<ConsoleRequestFragment>(
    'requestId',
    'answeredAt',
    'durationMs',
    'clientId',
    'subject',
    'api',
    'method',
    'operation',
    'httpStatus',
    'isReplay',
    'isAborted',
  ),
  ['rootFields', ({ rootFields }) => rootFields.join(' ')],
  ['codes', ({ problems }) => problems.map(({ code }) => code).join(' ')],
];

/** Lists what clients sent. */
export function Requests() {
  const { query } = useAddress();
  const filter = filterOf(query);
  const { fromEnd, order } = useOrder('/requests', 'When');
  const pages = usePages(ConsoleRequestsDocument, { filter }, data => data.apiRequests, { fromEnd });
  const given = Object.fromEntries([...query].filter(([name]) => name !== 'order'));
  const tabs = VIEWS.map(([label, view]) => ({
    label,
    href: hrefOf('/requests', view),
    isCurrent: JSON.stringify(view) === JSON.stringify(given),
  }));
  return (
    <Screen title="Requests" about="What clients sent in the last days, and how it ended, without any value.">
      <Tabs label="Views" tabs={tabs} />
      <div class="card">
        <PagedList
          of={pages}
          noun="request"
          filters={<Filters noun="requests" path="/requests" filters={FILTERS} />}
          csv={CSV}
          {...{ order }}
          empty={
            <Empty title="No requests">
              {filter ? 'None matches the filter.' : 'What a client changes, and what is refused, appears here.'}
            </Empty>
          }
        >
          {nodes => <RequestTable caption="Requests" requests={nodes} {...{ order }} />}
        </PagedList>
      </div>
    </Screen>
  );
}

function filterOf(query: URLSearchParams): ApiRequestFilter | null {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const flag = (name: string): boolean | undefined => ({ true: true, false: false })[query.get(name) ?? ''];
  const filter: ApiRequestFilter = {
    clientId: text('client'),
    code: text('code'),
    isRefused: flag('refused'),
    isReplay: flag('replay'),
    subject: text('by'),
    operation: text('operation'),
    api: Object.values(RequestApi).find(api => api === query.get('api')),
    requestId: text('request'),
    answeredFrom: midnight(text('from'), 0),
    answeredBefore: midnight(text('to'), 1),
  };
  return Object.values(filter).some(value => value !== undefined) ? filter : null;
}
