import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import { ConsoleAccountEventsDocument, ConsoleEventChainDocument } from '../../generated/graphql.js';
import { Card } from '../../ui/card.js';
import { CHANGE_CSV, ChangeList, rowsOf } from '../../ui/change-list.js';
import { Copy } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { counted } from '../../ui/words.js';
import { pathOf, type TabProps } from './account-of.js';

/** Lists who changed what in the account, and tells if the record of it is whole. */
export function EventsTab({ account: { accountId, timeZone } }: TabProps) {
  const { fromEnd, order } = useOrder(pathOf(accountId, 'events'), 'When');
  const pages = usePages(ConsoleAccountEventsDocument, { accountId }, data => data.events, { fromEnd });
  return (
    <>
      <Card title="Chain of changes">
        <Chain accountId={accountId} />
      </Card>
      <Card title="Changes" isFlush>
        <PagedList
          of={pages}
          noun="change"
          csv={CHANGE_CSV}
          rows={rowsOf(pages.nodes)}
          {...{ order }}
          empty={<Empty title="No changes">Nothing has changed this account yet.</Empty>}
        >
          {nodes => <ChangeList caption="Changes" events={nodes} zone={timeZone} {...{ order }} />}
        </PagedList>
      </Card>
    </>
  );
}

function Chain({ accountId }: { readonly accountId: string }) {
  const query = useQuery(ConsoleEventChainDocument, { accountId });
  return (
    <Answer of={query} lines={2}>
      {({ account }) => {
        const chain = account?.eventChain;
        if (!chain) return null;
        const { eventCount: events, checkedCount: checked, intact, brokenAt, lastHash } = chain;
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
                  <code>{lastHash.slice(0, 12)}…</code> <Copy text={lastHash} label="last hash" />
                </span>,
              ],
            ]}
          />
        );
      }}
    </Answer>
  );
}
