import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import { ConsoleCardsDocument, type ConsoleCardFragment } from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Answer, Empty } from '../../ui/states.js';
import { Menu } from '../../ui/menu.js';
import { Status } from '../../ui/status.js';
import { Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { nameOf, words } from '../../ui/words.js';
import type { TabProps } from './account-of.js';
import { CardDialog, type CardAction } from './card-dialog.js';
import { CreateCard } from './create-card.js';
import { RefusedPurchases } from './refused-purchases.js';

interface OpenDialog {
  readonly action: CardAction;
  readonly card: ConsoleCardFragment;
}

const FINAL: ReadonlySet<string> = new Set(['LOST', 'STOLEN', 'CLOSED']);

/** The cards of the account. The one in the address is marked. */
export function CardsTab({ account, item }: TabProps) {
  const { accountId, status, owners, timeZone } = account;
  const query = useQuery(ConsoleCardsDocument, { accountId });
  const mayWrite = useMay('cards.write');
  const [open, setOpen] = useState<OpenDialog | 'create'>();
  const holderOf = ({ cardHolderId }: ConsoleCardFragment): string => {
    const name = owners.find(({ customerId }) => customerId === cardHolderId)?.name;
    return name ? nameOf(name) : cardHolderId;
  };
  return (
    <>
      <Card
        title="Cards"
        isFlush
        actions={
          mayWrite &&
          status === 'OPEN' && (
            <Button isSmall icon="plus" onClick={() => setOpen('create')}>
              Create card
            </Button>
          )
        }
      >
        <Answer of={query}>
          {data =>
            data.account?.cards?.length ? (
              <Table
                caption="Cards"
                rows={data.account.cards}
                keyOf={({ cardId }) => cardId}
                isFresh={({ cardId }) => cardId === item}
                columns={[
                  {
                    label: 'Card',
                    narrow: 'lead',
                    cell: ({ last4, cardId }) => (
                      <>
                        <strong class="nowrap">•••• {last4}</strong>
                        <div class="soft small">{cardId}</div>
                      </>
                    ),
                  },
                  { label: 'Status', narrow: 'bare', cell: card => <Status value={card.status} /> },
                  { label: 'Holder', narrow: 'bare', cell: holderOf },
                  {
                    label: 'Kind',
                    narrow: 'bare',
                    cell: ({ type, cardProductId }) => `${words(type)}, ${cardProductId}`,
                  },
                  {
                    label: 'Expires',
                    cell: ({ expiration }) => `${expiration.slice(0, 2)}/20${expiration.slice(2)}`,
                  },
                  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} zone={timeZone} /> },
                  {
                    label: 'Actions',
                    isLabelHidden: true,
                    isEnd: true,
                    narrow: 'side',
                    cell: card =>
                      mayWrite &&
                      !FINAL.has(card.status) && <Actions card={card} onAction={action => setOpen({ action, card })} />,
                  },
                ]}
              />
            ) : (
              <Empty title="No cards">No card was created for this account.</Empty>
            )
          }
        </Answer>
        {open === 'create' && <CreateCard account={account} onClose={() => setOpen(undefined)} />}
        {typeof open === 'object' && <CardDialog {...open} onClose={() => setOpen(undefined)} />}
      </Card>
      <RefusedPurchases accountId={accountId} timeZone={timeZone} />
    </>
  );
}

interface ActionsProps {
  readonly card: ConsoleCardFragment;
  readonly onAction: (action: CardAction) => void;
}

function Actions({ card: { status, last4 }, onAction }: ActionsProps) {
  const next = NEXT[status];
  return (
    <div class="row-actions">
      {next && (
        <Button isSmall onClick={() => onAction(next[0])} aria-label={`${next[1]} card ${last4}`}>
          {next[1]}
        </Button>
      )}
      <Menu label={`card ${last4}`}>
        <Button onClick={() => onAction('report')}>Report lost or stolen</Button>
        <Button kind="danger" onClick={() => onAction('close')}>
          Close card
        </Button>
      </Menu>
    </div>
  );
}

const NEXT: Readonly<Record<string, readonly [CardAction, string]>> = {
  ACTIVE: ['freeze', 'Freeze'],
  FROZEN: ['unfreeze', 'Unfreeze'],
  INACTIVE: ['activate', 'Activate'],
};
