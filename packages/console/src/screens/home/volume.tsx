import type { ConsoleOverviewQuery } from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Chart } from '../../ui/chart.js';
import { grouped, Money } from '../../ui/money.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Day, dayText } from '../../ui/time.js';
import { counted } from '../../ui/words.js';
import { FigureList } from './figure-list.js';
import type { DayOfVolume } from './volume-chart.js';

type Currency = NonNullable<ConsoleOverviewQuery['programOverview']>['currencies'][number];

const loadChart = async () => (await import('./volume-chart.js')).VolumeChart;

/** Shows what came in and went out today, yesterday and on the days before, in one currency. */
export function Volume({ currencies }: { readonly currencies: readonly Currency[] }) {
  const { query } = useAddress();
  const shown = currencies.find(({ currency }) => currency === query.get('currency')) ?? currencies[0];
  const tabs = currencies.map(({ currency }) => ({
    label: currency,
    href: hrefOf('/', { currency: currency === currencies[0]?.currency ? null : currency }),
    isCurrent: currency === shown?.currency,
  }));
  return (
    <Card title="Volume" actions={tabs.length > 1 && <Tabs label="Currency" tabs={tabs} />}>
      {shown ? (
        <VolumeOf key={shown.currency} {...shown} />
      ) : (
        <Empty title="No accounts yet">What is posted to the accounts of the program is summed up here.</Empty>
      )}
    </Card>
  );
}

function VolumeOf({ currency, days }: Currency) {
  const [yesterday, today] = days.slice(-2);
  if (!yesterday || !today) return null;
  const ofDay = (name: string, day: DayOfVolume) =>
    (
      [
        ['In', 'CREDIT', day.credits, day.creditCount, 'credit'],
        ['Out', 'DEBIT', day.debits, day.debitCount, 'debit'],
      ] as const
    ).map(([label, direction, amount, count, noun]) => ({
      label: `${label} ${name}`,
      value: <Money {...{ amount, currency }} />,
      href: hrefOf('/history', { startTime: day.date, endTime: day.date, direction, status: 'POSTED' }),
      about: counted(count, noun),
    }));
  const isQuiet = days.every(({ creditCount, debitCount }) => creditCount + debitCount === 0);
  return (
    <>
      <FigureList figures={[...ofDay('today', today), ...ofDay('yesterday', yesterday)]} />
      {isQuiet ? (
        <Empty title={`Nothing was posted in the last ${days.length} days`} />
      ) : (
        <figure class="year">
          <Chart load={loadChart} of={{ days, currency }} />
          <figcaption class="soft">
            Above the line what came in, below it what went out. {mostOf(days, 'credits', 'came in', currency)}{' '}
            {mostOf(days, 'debits', 'went out', currency)}
          </figcaption>
          <details class="more">
            <summary>Show the days as a table</summary>
            <Table
              caption={`Volume of the last ${days.length} days`}
              columns={columnsOf(currency)}
              rows={days.toReversed()}
              keyOf={({ date }) => date}
            />
          </details>
        </figure>
      )}
    </>
  );
}

/** Says on which day most came in or went out. */
function mostOf(
  days: readonly DayOfVolume[],
  what: 'credits' | 'debits',
  didWhat: 'came in' | 'went out',
  currency: string,
): string {
  const minorOf = (day: DayOfVolume): bigint => BigInt(day[what].replace('.', ''));
  const day = days.reduce((highest, one) => (minorOf(one) > minorOf(highest) ? one : highest));
  if (minorOf(day) === 0n) return `Nothing ${didWhat}.`;
  return `Most ${didWhat} on ${dayText(day.date)}: ${grouped(day[what])} ${currency}.`;
}

function columnsOf(currency: string): readonly Column<DayOfVolume>[] {
  return [
    { label: 'Day', narrow: 'lead', cell: ({ date }) => <Day on={date} /> },
    { label: 'In', isEnd: true, cell: ({ credits }) => <Money amount={credits} currency={currency} /> },
    { label: 'Credits', isEnd: true, cell: ({ creditCount }) => creditCount.toLocaleString('en-US') },
    { label: 'Out', isEnd: true, cell: ({ debits }) => <Money amount={debits} currency={currency} /> },
    { label: 'Debits', isEnd: true, cell: ({ debitCount }) => debitCount.toLocaleString('en-US') },
  ];
}
