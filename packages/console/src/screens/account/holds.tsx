import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import { ConsoleHoldsDocument, HoldStatus, type ConsoleHoldFragment } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { csvFields } from '../../ui/csv.js';
import { Money } from '../../ui/money.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Table } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { pathOf, type TabProps } from './account-of.js';
import { CaptureHold, PlaceHold, ReleaseHold } from './hold-dialogs.js';

const STATUSES = Object.values(HoldStatus);

const CSV = csvFields<ConsoleHoldFragment>(
  'holdId',
  'status',
  'amount',
  'capturedAmount',
  'heldAmount',
  'currency',
  'description',
  'reference',
  'cardId',
  'placedAt',
  'expiresAt',
  'endedAt',
);

type OpenDialog = 'place' | { readonly action: 'capture' | 'release'; readonly hold: ConsoleHoldFragment };

/** The holds of an account, active and ended ones. */
export function HoldsTab({ account }: TabProps) {
  const { accountId, timeZone } = account;
  const { query } = useAddress();
  const status = STATUSES.find(one => one === query.get('status'));
  const pages = usePages(
    ConsoleHoldsDocument,
    { accountId, filter: status ? { statuses: [status] } : null },
    data => data.account?.holds,
  );
  const mayWrite = useMay('operations');
  const [open, setOpen] = useState<OpenDialog>();
  const close = (): void => setOpen(undefined);
  const tabs = [undefined, ...STATUSES].map(one => ({
    label: one ? words(one) : 'All',
    href: hrefOf(pathOf(accountId, 'holds'), { status: one }),
    isCurrent: one === status,
  }));
  return (
    <Card
      title="Holds"
      isFlush
      actions={
        mayWrite &&
        account.status === 'OPEN' && (
          <Button isSmall icon="plus" onClick={() => setOpen('place')}>
            Place hold
          </Button>
        )
      }
    >
      <div class="inner-tabs">
        <Tabs label="Status of holds" tabs={tabs} />
      </div>
      <PagedList
        of={pages}
        noun="hold"
        csv={CSV}
        empty={<Empty title="No holds">{status ? 'None has this status.' : 'Nothing was held of this account.'}</Empty>}
      >
        {nodes => (
          <Table
            caption="Holds"
            rows={nodes}
            keyOf={({ holdId }) => holdId}
            columns={[
              {
                label: 'Hold',
                narrow: 'lead',
                cell: ({ description, holdId, cardId }) => (
                  <>
                    <strong>{description}</strong>
                    <div class="soft small">{[holdId, cardId].filter(Boolean).join(' · ')}</div>
                  </>
                ),
              },
              { label: 'Status', narrow: 'bare', cell: hold => <Status value={hold.status} /> },
              { label: 'Placed', narrow: 'bare', cell: ({ placedAt }) => <Time at={placedAt} zone={timeZone} /> },
              {
                label: 'Ends',
                cell: ({ expiresAt, endedAt }) => <Time at={endedAt ?? expiresAt} zone={timeZone} />,
              },
              { label: 'Captured', isEnd: true, cell: ({ capturedAmount }) => <Money amount={capturedAmount} /> },
              {
                label: 'Held',
                isEnd: true,
                narrow: 'side',
                cell: ({ heldAmount, currency }) => <Money amount={heldAmount} currency={currency} />,
              },
              { label: 'Amount', isEnd: true, cell: ({ amount }) => <Money amount={amount} /> },
              {
                label: 'Actions',
                isLabelHidden: true,
                isEnd: true,
                cell: hold =>
                  mayWrite &&
                  hold.status === 'ACTIVE' && (
                    <div class="row-actions">
                      <Button
                        isSmall
                        aria-label={`Capture ${hold.holdId}`}
                        onClick={() => setOpen({ action: 'capture', hold })}
                      >
                        Capture
                      </Button>
                      <Button
                        isSmall
                        aria-label={`Release ${hold.holdId}`}
                        onClick={() => setOpen({ action: 'release', hold })}
                      >
                        Release
                      </Button>
                    </div>
                  ),
              },
            ]}
          />
        )}
      </PagedList>
      {open === 'place' && <PlaceHold account={account} onClose={close} />}
      {typeof open === 'object' && open.action === 'capture' && <CaptureHold hold={open.hold} onClose={close} />}
      {typeof open === 'object' && open.action === 'release' && <ReleaseHold hold={open.hold} onClose={close} />}
    </Card>
  );
}
