import { useQuery } from '../../client/query.js';
import { ConsoleAccountLatestDocument, ConsoleAccountDaysDocument } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Chart } from '../../ui/chart.js';
import { grouped, Money } from '../../ui/money.js';
import { Answer, Empty } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Day, dayIn, dayText } from '../../ui/time.js';
import { NotesCard } from '../notes/notes.js';
import { pathOf, type Account, type TabProps } from './account-of.js';
import type { DayOfBalance } from './chart.js';
import { transactionColumns } from './transaction-columns.js';

/** The numbers of days for which the balances are shown. */
const SPANS = [30, 90, 365] as const;
const DAY_MS = 24 * 3600 * 1000;
const loadChart = async () => (await import('./chart.js')).BalanceChart;

/** The balance of some days, the latest transactions, and what the account is like. */
export function OverviewTab({ account, fresh }: TabProps) {
  const { accountId, timeZone } = account;
  const latest = useQuery(ConsoleAccountLatestDocument, { accountId });
  return (
    <>
      <div class="last-if-narrow">
        <BalanceCard account={account} />
      </div>
      <Card
        title="Latest transactions"
        isFlush
        actions={<a href={hrefOf(pathOf(accountId, 'history'))}>Whole history</a>}
      >
        <Answer of={latest}>
          {data =>
            data.account?.transactions?.nodes.length ? (
              <Table
                caption="Latest transactions"
                columns={transactionColumns(timeZone)}
                rows={data.account.transactions.nodes}
                keyOf={({ transactionId }) => transactionId}
                isFresh={({ transactionId }) => fresh.has(transactionId)}
              />
            ) : (
              <Empty title="No transactions">Nothing was posted to this account yet.</Empty>
            )
          }
        </Answer>
      </Card>
      <NotesCard about={{ accountId }} name={accountId} />
    </>
  );
}

function BalanceCard({ account }: { readonly account: Account }) {
  const { query } = useAddress();
  const span = SPANS.find(days => String(days) === query.get('days')) ?? 365;
  const tabs = SPANS.map(days => ({
    label: `${days} days`,
    href: hrefOf(pathOf(account.accountId), { days: days === 365 ? null : String(days) }),
    isCurrent: days === span,
  }));
  return (
    <Card title="Posted balance" actions={<Tabs label="Days shown" tabs={tabs} />}>
      <Balances {...{ account, span }} />
    </Card>
  );
}

function Balances({ account, span }: { readonly account: Account; readonly span: number }) {
  const { accountId, currency, timeZone, openedOn } = account;
  const now = new Date();
  const [since, to] = [dayIn(timeZone, new Date(now.getTime() - span * DAY_MS)), dayIn(timeZone, now)];
  // Before its opening an account has no balance to show. One that is opened later has this day alone.
  const from = [since, openedOn].toSorted().at(-1) ?? since;
  const query = useQuery(ConsoleAccountDaysDocument, { accountId, from: from < to ? from : to, to });
  return (
    <Answer of={query} lines={6}>
      {data => {
        const days = data.account?.dailyBalances ?? [];
        const [first, last] = [days[0], days.at(-1)];
        if (!first || !last) return <Empty title="No balances" />;
        const { lowest, highest } = extremesOf(days, first);
        const said = ({ balance, date }: DayOfBalance): string => `${grouped(balance)} ${currency} on ${dayText(date)}`;
        return (
          <figure class="year">
            <Chart load={loadChart} of={{ days, currency, lowest }} />
            <figcaption class="soft">
              {lowest.balance === highest.balance ? (
                `${grouped(last.balance)} ${currency} on each of these days.`
              ) : (
                <>
                  From {said(first)} to {said(last)}. <span class="low-point">Lowest {said(lowest)}</span>, highest{' '}
                  {said(highest)}.
                </>
              )}
            </figcaption>
            <details class="more">
              <summary>Show the ends of the months as a table</summary>
              <Table
                caption="Posted balance at the ends of the months"
                columns={[
                  { label: 'Day', narrow: 'lead', cell: ({ date }: DayOfBalance) => <Day on={date} /> },
                  {
                    label: 'Balance',
                    isEnd: true,
                    narrow: 'side',
                    cell: ({ balance }) => <Money amount={balance} currency={currency} />,
                  },
                ]}
                rows={monthEnds(days)}
                keyOf={({ date }) => date}
              />
            </details>
          </figure>
        );
      }}
    </Answer>
  );
}

function extremesOf(days: readonly DayOfBalance[], first: DayOfBalance) {
  const ordered = days.toSorted((one, other) => compare(one.balance, other.balance));
  return { lowest: ordered[0] ?? first, highest: ordered.at(-1) ?? first };
}

/** Amounts of one currency have the same number of digits after the point. */
function compare(one: string, other: string): number {
  const difference = BigInt(one.replace('.', '')) - BigInt(other.replace('.', ''));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function monthEnds(days: readonly DayOfBalance[]): DayOfBalance[] {
  return days.filter(({ date }, index) => days[index + 1]?.date.slice(0, 7) !== date.slice(0, 7)).reverse();
}
