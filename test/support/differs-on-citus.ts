import { test } from '@jest/globals';
import { onCitus } from './server-nodes.js';

/** What tests expect that is otherwise on Citus, by decisions of docs/adr/0039-citus.md. */
const DIFFERENCES = {
  keyOfAnotherAccount: 'A key lives with its account, so the same key for another account is another command.',
  truncate: 'A trigger of a shard is one for each row, so TRUNCATE, and a change of no row, are not refused.',
  tampering:
    'The test sends several statements at once under session_replication_role: Citus takes one, and triggers of workers do not follow that setting.',
} as const;

/** `test`, or on Citus one that is skipped for a reason. */
export function testUnlessCitus(reason: keyof typeof DIFFERENCES): typeof test {
  return (onCitus && DIFFERENCES[reason] ? test.skip : test) as typeof test;
}
