import { PreparedQuery, type Connection } from './prepared-query.js';
import type { Statement } from './statement.js';

/** The plans of a connection are kept as long as it had lived when they were made, and not shorter or longer than this. */
const SHORTEST_MS = 1000;
const LONGEST_MS = 10_000;

const FORGET_PLANS: Statement = { name: 'plans_forget', text: 'DISCARD PLANS' };

/**
 * What is to follow other statements of a connection when its plans are old, so that the server makes new ones. It keeps a plan as long as the
 * connection, those of triggers as well, and who made one while a table was empty reads the whole of it for each row, whatever has come in
 * since, until the next ANALYZE (docs/adr/0020). Where one of those statements fails, the plans stay until the next time.
 */
export function planRenewal(connection: Connection): PreparedQuery | null {
  const nowMs = performance.now();
  const plans = (connection.plans ??= { openedMs: nowMs, madeMs: nowMs });
  const keptMs = Math.min(Math.max(plans.madeMs - plans.openedMs, SHORTEST_MS), LONGEST_MS);
  if (nowMs - plans.madeMs < keptMs) return null;
  plans.madeMs = nowMs;
  return new PreparedQuery(FORGET_PLANS, []);
}
