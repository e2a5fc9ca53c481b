import { usePages } from '../../client/pages.js';
import { ConsoleCustomerEventsDocument } from '../../generated/graphql.js';
import { Card } from '../../ui/card.js';
import { CHANGE_CSV, ChangeList, rowsOf } from '../../ui/change-list.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';

/** Lists who changed the record of the customer. What was done to their accounts is in the changes of these. */
export function CustomerChanges({ customerId }: { readonly customerId: string }) {
  const pages = usePages(ConsoleCustomerEventsDocument, { customerId }, data => data.events);
  return (
    <Card title="Changes" isFlush>
      <PagedList
        of={pages}
        noun="change"
        csv={CHANGE_CSV}
        rows={rowsOf(pages.nodes)}
        empty={<Empty title="No changes">The record is as it came with an import.</Empty>}
      >
        {nodes => <ChangeList caption="Changes" events={nodes} />}
      </PagedList>
    </Card>
  );
}
