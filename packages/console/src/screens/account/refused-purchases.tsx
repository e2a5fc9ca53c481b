import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import { ConsoleRefusedPurchasesDocument } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { ChangeList } from '../../ui/change-list.js';
import type { Account } from './account-of.js';

/** Why purchases by the cards of an account were refused: the latest ones. Nothing where none was. */
export function RefusedPurchases({ accountId, timeZone }: Pick<Account, 'accountId' | 'timeZone'>) {
  const { data } = useQuery(ConsoleRefusedPurchasesDocument, useMay('operations.read') ? { accountId } : null);
  const events = data?.events?.nodes ?? [];
  if (events.length === 0) return null;
  return (
    <Card
      title="Refused purchases"
      isFlush
      actions={<a href={hrefOf('/changes', { account: accountId, action: 'card.refuse_purchase' })}>All of them</a>}
    >
      <ChangeList caption="Refused purchases" events={events} zone={timeZone} isApart />
    </Card>
  );
}
