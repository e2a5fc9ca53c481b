import { usePages } from '../../client/pages.js';
import { useSession } from '../../client/session.js';
import { ConsoleEventsDocument, type EventFilter } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { CHANGE_CSV, ChangeList, rowsOf } from '../../ui/change-list.js';
import { COMMANDS } from '../../ui/codes.js';
import { midnight } from '../../ui/filter-words.js';
import { Filters } from '../../ui/filters.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';

/** Where somebody looks through changes, there are many that are one row. */
const SIZE = 100;

const FILTERS = {
  days: { label: 'When', type: 'date', range: ['from', 'to'] },
  action: { label: 'Change', codes: COMMANDS, placeholder: 'card.freeze' },
  account: { label: 'Account', placeholder: 'demo-1001' },
  by: { label: 'By', placeholder: 'The subject, such as teller-07' },
  client: { label: 'Client' },
  outcome: {
    label: 'Outcome',
    options: [
      ['DONE', 'Done'],
      ['DENIED', 'Denied'],
    ],
  },
  request: { label: 'Request id' },
} as const;

/** Lists who did what in the program. */
export function Changes() {
  const { query } = useAddress();
  const { subject } = useSession();
  const filter = filterOf(query);
  const { fromEnd, order } = useOrder('/changes', 'When');
  const pages = usePages(ConsoleEventsDocument, { filter }, data => data.events, { fromEnd, size: SIZE });
  const isApart = query.has('request');
  const views = [
    ['All', {}],
    ['Denied', { outcome: 'DENIED' }],
    ['Mine', { by: subject }],
    ['Imports', { action: 'record.import' }],
  ] as const;
  const given = Object.fromEntries([...query].filter(([name]) => name !== 'order'));
  const tabs = views.map(([label, view]) => ({
    label,
    href: hrefOf('/changes', view),
    isCurrent: JSON.stringify(view) === JSON.stringify(given),
  }));
  return (
    <Screen title="Changes" about="The changes in the program with who made them, and denied attempts.">
      <Tabs label="Views" tabs={tabs} />
      <div class="card">
        <PagedList
          of={pages}
          noun="change"
          filters={<Filters noun="changes" path="/changes" filters={FILTERS} />}
          csv={CHANGE_CSV}
          rows={isApart ? undefined : rowsOf(pages.nodes)}
          {...{ order }}
          empty={
            <Empty title="No changes">
              {filter ? 'None matches the filter.' : 'Everything that somebody changes appears here.'}
            </Empty>
          }
        >
          {nodes => <ChangeList caption="Changes" events={nodes} {...{ isApart, order }} />}
        </PagedList>
      </div>
    </Screen>
  );
}

function filterOf(query: URLSearchParams): EventFilter | null {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const outcome = query.get('outcome');
  const action = text('action');
  const filter: EventFilter = {
    accountId: text('account'),
    actions: action?.split(/[\s,]+/).filter(Boolean),
    subject: text('by'),
    clientId: text('client'),
    outcome: outcome === 'DONE' || outcome === 'DENIED' ? outcome : undefined,
    occurredFrom: midnight(text('from'), 0),
    occurredBefore: midnight(text('to'), 1),
    requestId: text('request'),
  };
  return Object.values(filter).some(value => value !== undefined) ? filter : null;
}
