import { statementOf } from '../../lib/pg-wire/statement.js';
import type { Asking } from '../platform/database/transaction.js';
import { transpose } from '../platform/repository/by-ordinal.js';
import { dayOf } from '../shared/days.js';

// Local times are computed by PostgreSQL, since Node.js has time zones of another release.

/** Joins to an account `a` the present of its program as `p.now`. */
export const PRESENT = 'CROSS JOIN LATERAL (SELECT program_now(a.program) AS now) p';

/** An instant as local time of an account `a`, to the second. The argument is SQL. */
export function localTime(instant: string): string {
  return `to_char(${instant} AT TIME ZONE a.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`;
}

// The functions that give the clock of a program and its days are of the database.
const TODAY = statementOf(
  `SELECT ${dayOf('program_now(k.program)', 'k.zone')}::text
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(program, zone, n) ORDER BY k.n`,
);

/** Today by the clocks of programs in time zones that the database knows: `YYYY-MM-DD`. */
export async function todayIn(
  transaction: Asking,
  of: readonly { readonly program: string; readonly timeZone: string }[],
): Promise<string[]> {
  const rows = await transaction.query<[day: string]>(
    TODAY,
    transpose(of.map(({ program, timeZone }) => [program, timeZone])),
  );
  return rows.map(([day]) => day);
}
