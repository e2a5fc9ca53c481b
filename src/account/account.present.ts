import { statementOf } from '../../lib/pg-wire/statement.js';
import type { Asking } from '../platform/database/transaction.js';

// Local times are computed by PostgreSQL, since Node.js has time zones of another release.

/** Joins to an account `a` the present of its program as `p.now`. */
export const PRESENT = 'CROSS JOIN LATERAL (SELECT program_now(a.program) AS now) p';

/** An instant as local time of an account `a`, to the second. The argument is SQL. */
export function localTime(instant: string): string {
  return `to_char(${instant} AT TIME ZONE a.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`;
}

const OF_PROGRAMS = statementOf(
  'SELECT program_now(k.program) FROM unnest($1::text[]) WITH ORDINALITY k(program, n) ORDER BY k.n',
);

/** The present of each of the programs. */
export async function presentOf(transaction: Asking, programs: readonly string[]): Promise<Date[]> {
  const rows = await transaction.query<[string]>(OF_PROGRAMS, [programs]);
  return rows.map(([now]) => new Date(now));
}
