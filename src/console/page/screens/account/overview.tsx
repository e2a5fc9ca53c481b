import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { ConsoleAccountLatestDocument, ConsoleAccountYearDocument } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { grouped, Money } from '../../ui/money.js';
import { Answer, Empty, Loading } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { Day, dayIn, dayText } from '../../ui/time.js';
import { pathOf, type Account, type TabProps } from './account-of.js';
import type { DayOfBalance } from './chart.js';
import { transactionColumns } from './transaction-columns.js';

const YEAR_DAYS = 365;
const DAY_MS = 24 * 3600 * 1000;

/** The balance of a year, the latest transactions, and what the account is like. */
export function OverviewTab({ account, fresh }: TabProps) {
  const { accountId, timeZone } = account;
  const latest = useQuery(ConsoleAccountLatestDocument, { accountId });
  return (
    <>
      <Card title="Posted balance of the last year">
        <Year account={account} />
      </Card>
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
      <Card title="Account">
        <Facts
          facts={[
            ['Opened', <Day on={account.openedOn} />],
            ['Currency', account.currency],
            ['Time zone', account.timeZone],
            ['Earns interest', account.interestBearing ? 'Yes' : 'No'],
          ]}
        />
      </Card>
    </>
  );
}

function Year({ account: { accountId, currency, timeZone } }: { readonly account: Account }) {
  const now = new Date();
  const [from, to] = [dayIn(timeZone, new Date(now.getTime() - YEAR_DAYS * DAY_MS)), dayIn(timeZone, now)];
  const query = useQuery(ConsoleAccountYearDocument, { accountId, from, to });
  return (
    <Answer of={query} lines={6}>
      {data => {
        const days = data.account?.dailyBalances ?? [];
        const [first, last] = [days[0], days.at(-1)];
        if (!first || !last) return <Empty title="No balances" />;
        return (
          <figure class="year">
            <Chart {...{ days, currency }} />
            <figcaption class="soft">{summary(days, currency)}</figcaption>
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

interface ChartProps {
  readonly days: readonly DayOfBalance[];
  readonly currency: string;
}

/** The library that draws is loaded when there is something to draw. */
function Chart(props: ChartProps) {
  const [chart, setChart] = useState<{ readonly Shown: ComponentType<ChartProps> }>();
  useEffect(() => {
    import('./chart.js').then(
      ({ BalanceChart }) => setChart({ Shown: BalanceChart }),
      // The text and the table say the same.
      () => undefined,
    );
  }, []);
  return (
    <div class="chart">{chart ? <chart.Shown {...props} /> : <Loading label="Loading the chart" lines={5} />}</div>
  );
}

function summary(days: readonly DayOfBalance[], currency: string): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return '';
  const ordered = days.toSorted((one, other) => compare(one.balance, other.balance));
  const [lowest = first, highest = first] = [ordered[0], ordered.at(-1)];
  const said = ({ balance, date }: DayOfBalance): string => `${grouped(balance)} ${currency} on ${dayText(date)}`;
  return `From ${said(first)} to ${said(last)}. Lowest ${said(lowest)}, highest ${said(highest)}.`;
}

/** Amounts of one currency have the same number of digits after the point. */
function compare(one: string, other: string): number {
  const difference = BigInt(one.replace('.', '')) - BigInt(other.replace('.', ''));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function monthEnds(days: readonly DayOfBalance[]): DayOfBalance[] {
  return days.filter(({ date }, index) => days[index + 1]?.date.slice(0, 7) !== date.slice(0, 7)).reverse();
}
