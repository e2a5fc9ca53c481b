import type { ComponentType } from 'preact';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import { ConsoleAccountDocument } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Copy } from '../../ui/copy.js';
import { grouped, Money } from '../../ui/money.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Tabs } from '../../ui/tabs.js';
import { Day } from '../../ui/time.js';
import { nameOf, words } from '../../ui/words.js';
import { AccountActions } from './account-actions.js';
import { pathOf, type Account, type TabProps } from './account-of.js';
import { BeneficiariesTab } from './beneficiaries.js';
import { CardsTab } from './cards.js';
import { DocumentsTab } from './documents.js';
import { EventsTab } from './events.js';
import { HistoryTab } from './history.js';
import { HoldsTab } from './holds.js';
import { useLiveAccount } from './live-account.js';
import { OverviewTab } from './overview.js';
import { OwnersTab } from './owners.js';

interface AccountTab {
  readonly name: string;
  readonly label: string;
  readonly scope: string;
  readonly Shown: ComponentType<TabProps>;
}

const TABS: readonly AccountTab[] = [
  { name: '', label: 'Overview', scope: 'transactions.read', Shown: OverviewTab },
  { name: 'history', label: 'History', scope: 'transactions.read', Shown: HistoryTab },
  { name: 'owners', label: 'Owners', scope: 'accounts.read', Shown: OwnersTab },
  { name: 'beneficiaries', label: 'Beneficiaries', scope: 'beneficiaries.read', Shown: BeneficiariesTab },
  { name: 'cards', label: 'Cards', scope: 'cards.read', Shown: CardsTab },
  { name: 'holds', label: 'Holds', scope: 'transactions.read', Shown: HoldsTab },
  { name: 'documents', label: 'Documents', scope: 'statements.read', Shown: DocumentsTab },
  { name: 'events', label: 'Changes', scope: 'operations.read', Shown: EventsTab },
];

/** One account, with everything that belongs to it. */
export function AccountScreen({ accountId = '', tab = '', item }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleAccountDocument, { accountId });
  const current = TABS.find(({ name }) => name === tab);
  const label = current?.name ? `${current.label} of ${accountId}` : accountId;
  const account = query.data?.account;
  const fresh = useLiveAccount(accountId, account && query.data?.feedCursor);
  return (
    <Screen
      title={accountId}
      tabTitle={label}
      titleExtra={
        <>
          <Copy text={accountId} label="account id" />
          {account && (
            <span class="wide-only">
              <Status value={account.status} />
            </span>
          )}
        </>
      }
      about={account && <About account={account} />}
      actions={account && <AccountActions account={account} />}
    >
      <Answer of={query} lines={8}>
        {data =>
          data.account ? (
            <>
              <Balances account={data.account} />
              <AccountTabs {...{ accountId, tab }} />
              {current ? (
                <current.Shown account={data.account} {...{ item, fresh }} />
              ) : (
                <Empty title="Nothing is here">An account has no such part.</Empty>
              )}
            </>
          ) : (
            <div class="card">
              <Empty title="No such account">
                The program has no account with this id. <a href={hrefOf('/accounts')}>All accounts</a>
              </Empty>
            </div>
          )
        }
      </Answer>
    </Screen>
  );
}

function About({ account }: { readonly account: Account }) {
  const { accountType, status, currency, timeZone, openedOn, interestBearing, owners } = account;
  return (
    <>
      <p>
        {owners.length === 0 && 'Nobody'}
        {owners.map(({ customerId, name }, index) => (
          <span key={customerId}>
            {index > 0 && ', '}
            <a href={hrefOf(`/customers/${customerId}`)}>{name ? nameOf(name) : 'name not readable'}</a>
          </span>
        ))}{' '}
        <span class="narrow-only">
          <Status value={status} />
        </span>
      </p>
      <p>
        {words(accountType)} in {currency}
        {interestBearing && ' with interest'} · Opened <Day on={openedOn} /> · {timeZone.replaceAll('_', ' ')}
      </p>
    </>
  );
}

/** Shows the balances, and what may still leave today. */
function Balances({ account: { balances, transferLimits: limits, currency } }: { readonly account: Account }) {
  const money = (amount: string) => <Money {...{ amount, currency }} />;
  const leftOf = (left: string | null | undefined, limit: string | null | undefined) =>
    limit != null && (
      <>
        {money(left ?? limit)} <span class="soft small">of {grouped(limit)}</span>
      </>
    );
  const shown = [
    ['Available', money(balances.available)],
    ['Posted', money(balances.posted)],
    ['Held', money(balances.held)],
    ['Overdraft limit', money(balances.overdraftLimit)],
    ['Largest transfer', limits?.perTransfer != null && money(limits.perTransfer)],
    ['Left to transfer today', leftOf(limits?.remainingToday, limits?.perDay)],
    ['Left of 30 days', leftOf(limits?.remaining30Days, limits?.per30Days)],
    ['Transfers today', limits?.transfersPerDay != null && `${limits.todayTransferCount} of ${limits.transfersPerDay}`],
    ['Left for cards today', leftOf(limits?.remainingCardHoldsToday, limits?.cardHoldsPerDay)],
  ] as const;
  return (
    <dl class="balances card">
      {shown.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function AccountTabs({ accountId, tab }: { readonly accountId: string; readonly tab: string }) {
  const tabs = TABS.map(({ name, label, scope }) => ({
    label,
    isAllowed: useMay(scope),
    href: hrefOf(pathOf(accountId, name)),
    isCurrent: name === tab,
  }));
  return <Tabs label="Account" tabs={tabs.filter(({ isAllowed }) => isAllowed)} />;
}
