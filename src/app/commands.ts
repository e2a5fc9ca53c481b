import type { ApprovalGate } from '../platform/command/approval.js';
import type { Denial } from '../platform/command/denial.js';
import { ForeignIds } from '../platform/command/foreign-ids.js';
import { IdempotencyKey } from '../platform/command/idempotency-key.entity.js';
import { ProgramCommands } from '../platform/command/program-commands.js';
import { sweepExpiredKeys } from '../platform/command/sweep.js';
import { FeedPosition, FeedState } from '../platform/feed/feed.entity.js';
import { noun } from '../platform/noun/noun.js';
import type { NounBase } from '../platform/noun/noun-base.js';

interface Needs {
  readonly approvalBook: ApprovalGate;
  readonly deny: (denial: Denial) => void;
}

/**
 * The parts that commands of all nouns have in common: keys with their sweep, the feed, commands about programs, and
 * ids that others have.
 */
export const commands = noun({
  entities: [IdempotencyKey, FeedPosition, FeedState],
  services: ({ database, records, together, watch, approvalBook, deny }: NounBase & Needs) => ({
    programCommands: new ProgramCommands(database, records, deny, watch, approvalBook),
    foreignIds: new ForeignIds(together, deny),
  }),
  jobs: async ({ database }, { log }) => [sweepExpiredKeys(database, log)],
});
