import { onCitus } from './server-nodes.js';

/** What differs on Citus, and why. Tests of it are for plain PostgreSQL alone. */
export const CITUS_DIFFERENCES = {
  keyOfAnotherAccount: 'A key lives with its account, so the same key for another account is another command.',
  tampering:
    'The test sets session_replication_role for a session, in which each statement is a transaction: on nodes it is set for a transaction alone.',
  wholeStatements:
    'A statement over many accounts is compared with its parts. Citus refuses the whole one, which is why there are parts.',
  groups: 'A command is a transaction of its own, so that one node is written to and nothing is prepared there.',
  heldRows:
    'Citus locks a table that is on every node as a whole, so who holds one row of it holds up the rotation of all.',
  plans:
    'EXPLAIN and counters of scans are those of one server. On Citus EXPLAIN shows which nodes are asked, and each counts its own scans.',
  statementTriggers:
    'A shard has triggers for each row alone: TRUNCATE is not refused, nor is a change of no rows. Take the right to TRUNCATE from the role.',
  accountsAtOneMoment:
    'A read over several accounts asks each node by itself, so it may see one side of a transfer and not yet the other.',
  oneByOne:
    'Keys of a batch are looked up one by one where accounts are on many servers, so statements count otherwise.',
  retention:
    'Rows of an account are on other servers than the function that guards what is deleted, so nothing is deleted there.',
  sandboxEnds:
    "A node has no settings of the gateway's session, so a clock that was moved in a sandbox counts for every gateway.",
} as const;

/** Why something is not on the test server as it is on plain PostgreSQL; null where it is. */
export const differsOnCitus = (difference: keyof typeof CITUS_DIFFERENCES): string | null =>
  onCitus ? CITUS_DIFFERENCES[difference] : null;

/** Whether something is on the test server as it is on plain PostgreSQL. */
export const isAsElsewhere = (difference: keyof typeof CITUS_DIFFERENCES): boolean =>
  differsOnCitus(difference) === null;

/** Why tests of what is on Citus alone are not run; null on a cluster of Citus. */
export const UNLESS_ON_CITUS = onCitus ? null : 'it is about Citus, and `npm run long -- citus` runs it';

/** Why tests that restart or crash servers are not run; null where they are: they disturb others on the cluster. */
export const UNLESS_RESTARTS_ON_CITUS =
  UNLESS_ON_CITUS ??
  (process.env['CITUS_RESTARTS'] === 'true'
    ? null
    : 'it restarts servers: CITUS_RESTARTS=true npm run long -- citus FILE');
