/**
 * The condition that the time of a closed account `a` of program `p` is over, as `end_account` of the database has it.
 * In SQL.
 */
export const IS_OVER = 'a.closed_at <= now() - make_interval(years => p.retention_years)';

/** The day until which an account `a` of program `p` is kept, `YYYY-MM-DD` in UTC. In SQL. */
export const KEPT_UNTIL = `to_char(a.closed_at + make_interval(years => p.retention_years), 'YYYY-MM-DD')`;
