import { statementOf } from '../../../lib/pg-wire/statement.js';
import { keyed } from '../../platform/database/keyed.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { oneByOrdinal, transpose, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { dayOf, startOfDay } from '../../shared/days.js';

// Local times are computed by PostgreSQL, since Node.js has time zones of another release.

/**
 * Joins to an account `a` the present of its program as `p.now`. `OFFSET 0` has it computed once for an account, and
 * not wherever it is named.
 */
export const PRESENT = 'CROSS JOIN LATERAL (SELECT program_now(a.program) AS now OFFSET 0) p';

/** A day has up to 25 hours, where the clocks go back. */
const LONGEST_DAY = "interval '25 hours'";

/** The instant from which limits of the present day count for an account `a` whose time zone has changed, or null. */
export function keptDayOf(now: string): string {
  return `(CASE WHEN ${now} < a.limit_day_from + ${LONGEST_DAY} THEN a.limit_day_from END)`;
}

/**
 * The beginning of what counts for the limits of the present day of an account `a`. `now` and that day are SQL. A day
 * that began in another time zone goes on until it is over there, or a change of the zone would free its limits.
 */
export function limitDayOf(now: string, day = dayOf(now, 'a.time_zone')): string {
  return `least(${startOfDay(day, 'a.time_zone')}, ${keptDayOf(now)})`;
}

/** An instant as local time of an account `a`, to the second. The argument is SQL. */
export function localTime(instant: string, account = 'a'): string {
  return `to_char(${instant} AT TIME ZONE ${account}.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`;
}

// Commands of a group read the clocks of all their accounts together.
const CLOCKS = keyed(
  'accounts_clocks',
  { account_id: 'text' },
  ({ k, each }) => `SELECT p.now, ${localTime('p.now')}, now(), ${k.n}::int
    FROM ${each}account a ${PRESENT} WHERE a.account_id = ${k.account_id}`,
);

/** The clock of an account. */
export interface AccountClock {
  /** The present of its program. */
  readonly now: string;
  /** The present as local time of the account: it begins with the day there. */
  readonly local: string;
  /** The present of the database, which no sandbox moves. */
  readonly realNow: string;
}

/** The clock of each account, or null. */
export async function clocksOf(
  transaction: StatementSender,
  accountIds: readonly string[],
): Promise<(AccountClock | null)[]> {
  const rows = await transaction.query<WithOrdinal<[now: string, local: string, realNow: string]>>(CLOCKS, [
    accountIds,
  ]);
  return oneByOrdinal(rows, accountIds.length, ([now, local, realNow]) => ({ now, local, realNow }));
}

// The functions that give the clock of a program and its days are of the database.
const TODAY = statementOf(
  `SELECT ${dayOf('program_now(k.program)', 'k.zone')}::text
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(program, zone, n) ORDER BY k.n`,
);

/** Today by the clocks of programs in time zones that the database knows: `YYYY-MM-DD`. */
export async function todayIn(
  transaction: StatementSender,
  of: readonly { readonly program: string; readonly timeZone: string }[],
): Promise<string[]> {
  const rows = await transaction.query<[day: string]>(
    TODAY,
    transpose(of.map(({ program, timeZone }) => [program, timeZone])),
  );
  return rows.map(([day]) => day);
}
