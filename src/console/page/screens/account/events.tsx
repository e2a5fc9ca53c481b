import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import {
  ConsoleAccountEventsDocument,
  ConsoleEventChainDocument,
  type ConsoleAccountEventsQuery,
} from '../../generated/graphql.js';
import { Card } from '../../ui/card.js';
import { Copy } from '../../ui/copy.js';
import { Data } from '../../ui/data.js';
import { Facts } from '../../ui/facts.js';
import { byWhom, happened } from '../../ui/happened.js';
import { PagedList } from '../../ui/pages.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { counted } from '../../ui/words.js';
import type { TabProps } from './account-of.js';

type Row = NonNullable<ConsoleAccountEventsQuery['events']>['nodes'][number];

/** Who changed what in the account, and whether the record of it is whole. */
export function EventsTab({ account: { accountId, timeZone } }: TabProps) {
  const pages = usePages(ConsoleAccountEventsDocument, { accountId }, data => data.events);
  return (
    <>
      <Card title="Chain of events">
        <Chain accountId={accountId} />
      </Card>
      <Card title="Events" isFlush>
        <PagedList
          of={pages}
          noun="event"
          empty={<Empty title="No events">Nothing has changed this account yet.</Empty>}
        >
          {nodes => (
            <Table
              caption="Events"
              rows={nodes}
              keyOf={({ eventId }) => eventId}
              columns={[
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
                { label: 'By', cell: ({ audit }) => audit && byWhom(audit) },
                { label: 'Changed', narrow: 'bare', cell: ({ object }) => object },
                { label: 'Outcome', narrow: 'side', cell: ({ audit }) => audit && <Status value={audit.outcome} /> },
                {
                  label: 'When',
                  narrow: 'bare',
                  isEnd: true,
                  cell: ({ occurredAt }) => <Time at={occurredAt} zone={timeZone} withSeconds />,
                },
              ]}
            />
          )}
        </PagedList>
      </Card>
    </>
  );
}

function Details({ event: { eventId, audit } }: { readonly event: Row }) {
  if (!audit) return null;
  const { clientId, requestId, chainSeq, hash, data } = audit;
  return (
    <div class="event-details">
      <Data data={data} />
      <Facts
        isLines
        facts={[
          ['Client', clientId],
          ['Request', requestId],
          ['Event', chainSeq == null ? eventId : `${eventId}, number ${chainSeq} of the chain`],
          hash != null && ['Hash', <code>{hash}</code>],
        ]}
      />
    </div>
  );
}

function Chain({ accountId }: { readonly accountId: string }) {
  const query = useQuery(ConsoleEventChainDocument, { accountId });
  return (
    <Answer of={query} lines={2}>
      {({ account }) => {
        const chain = account?.eventChain;
        if (!chain) return null;
        const { events, checked, intact, brokenAt, lastHash } = chain;
        return (
          <Facts
            facts={[
              [
                'State',
                intact ? (
                  <Status value="INTACT" tone="good" />
                ) : (
                  <Status value="BROKEN" tone="bad" label={`Broken at event ${brokenAt ?? ''}`} />
                ),
              ],
              [
                'Checked now',
                checked === events
                  ? `All ${counted(events, 'event')}`
                  : `The newest ${checked} of ${counted(events, 'event')}`,
              ],
              lastHash != null && [
                'Last hash',
                <span class="with-copy">
                  <code>{lastHash.slice(0, 16)}…</code> <Copy text={lastHash} label="last hash" />
                </span>,
              ],
            ]}
          />
        );
      }}
    </Answer>
  );
}
