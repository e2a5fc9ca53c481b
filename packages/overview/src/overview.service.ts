import { decimalOf, todayIn, type Caller, type Database } from 'tillgate/noun';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import {
  MAX_CURRENCIES,
  OverviewDaySum,
  OverviewTotal,
  SHOWN_DAYS,
  type OverviewCurrency,
  type OverviewDay,
  type ProgramOverview,
} from './overview.entity.js';
import { READ_OVERVIEW } from './overview.operations.js';

const DAY_MS = 24 * 3600 * 1000;
/** The zone of a program that has no account. */
const NO_ZONE = 'UTC';

// Accounts may be on other servers than the figures, so the figures are no part of this statement.
const USUAL_ZONE = statementOf(
  `SELECT time_zone FROM (SELECT a.time_zone FROM account a WHERE a.program = $1
     ORDER BY a.opened_on DESC, a.account_id DESC LIMIT 100) newest
   GROUP BY time_zone ORDER BY count(*) DESC, time_zone LIMIT 1`,
);
const COUNTED_UNTIL = statementOf(
  `SELECT CASE WHEN r.position >= s.position THEN date_trunc('milliseconds', now()) ELSE r.counted_at END
   FROM overview_reader r CROSS JOIN feed_state s`,
);
// At most as many of a program wait as may wait, and those alone are in the index that the condition names.
const WAITING = statementOf(
  `SELECT count(*)::int FROM approval a WHERE a.program = $1 AND a.status = 'WAITING' AND a.expires_at > now()`,
);

type Totals = Readonly<Omit<OverviewTotal, 'program'>>;

/** Shows a program at a glance, from few rows whatever the number of its accounts and transactions. */
export class OverviewService {
  constructor(private readonly database: Database) {}

  async get(caller: Caller): Promise<ProgramOverview> {
    caller.require(READ_OVERVIEW);
    const { program } = caller;
    const [zones, counted, waiting, totals] = await Promise.all([
      this.database.read<[timeZone: string]>(USUAL_ZONE, [program]),
      this.database.read<[at: string | null]>(COUNTED_UNTIL),
      this.database.read<[count: number]>(WAITING, [program]),
      this.database.em().find(OverviewTotal, { program }, { orderBy: { openAccountCount: 'desc', currency: 'asc' } }),
    ]);
    const timeZone = zones[0]?.[0] ?? NO_ZONE;
    const [today = ''] = await todayIn(this.database, [{ program, timeZone }]);
    const dates = daysUntil(today);
    const date = { $gte: dates[0] as string, $lte: today };
    const days = await this.database.em().find(OverviewDaySum, { program, date });
    const sumOf = (figure: Exclude<keyof Totals, 'currency' | 'depositsMinor'>): number =>
      totals.reduce((sum, total) => sum + total[figure], 0);
    return {
      asOf: counted[0]?.[0] ?? null,
      timeZone,
      openAccountCount: sumOf('openAccountCount'),
      openedAccountCount: days.reduce((sum, { openedAccountCount }) => sum + openedAccountCount, 0),
      inactiveCardCount: sumOf('inactiveCardCount'),
      activeCardCount: sumOf('activeCardCount'),
      frozenCardCount: sumOf('frozenCardCount'),
      waitingApprovalCount: waiting[0]?.[0] ?? 0,
      currencies: totals.slice(0, MAX_CURRENCIES).map(total => currencyOf(total, dates, days)),
    };
  }
}

function currencyOf(total: Totals, dates: readonly string[], days: readonly OverviewDaySum[]): OverviewCurrency {
  const { currency, depositsMinor, openAccountCount } = total;
  const byDate = new Map(days.filter(day => day.currency === currency).map(day => [day.date, day]));
  return {
    currency,
    deposits: decimalOf(BigInt(depositsMinor), currency),
    openAccountCount,
    days: dates.map(date => dayOf(date, currency, byDate.get(date))),
  };
}

function dayOf(date: string, currency: string, day: OverviewDaySum | undefined): OverviewDay {
  const amountOf = (minor: string | undefined): string => decimalOf(BigInt(minor ?? 0), currency);
  return {
    date,
    currency,
    credits: amountOf(day?.creditsMinor),
    creditCount: day?.creditCount ?? 0,
    debits: amountOf(day?.debitsMinor),
    debitCount: day?.debitCount ?? 0,
    openedAccountCount: day?.openedAccountCount ?? 0,
  };
}

/** The shown days, of which this is the last. */
function daysUntil(today: string): string[] {
  const lastMs = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: SHOWN_DAYS }, (_, index) =>
    new Date(lastMs - (SHOWN_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
