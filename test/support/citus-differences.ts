import { describe } from '@jest/globals';
import { onCitus } from './server-nodes.js';

/** What differs on Citus, and why. Tests of it are for plain PostgreSQL alone. */
export const CITUS_DIFFERENCES = {
  plans: 'EXPLAIN shows the plan of one server. On Citus it shows which nodes are asked, each with a plan of its own.',
  sandboxEnds:
    "A node has no settings of the gateway's session, so a clock that was moved in a sandbox counts for every gateway.",
} as const;

/** A block of tests about something that differs on Citus, which is left out there. */
export function differsOnCitus(_difference: keyof typeof CITUS_DIFFERENCES): typeof describe | typeof describe.skip {
  return onCitus ? describe.skip : describe;
}
