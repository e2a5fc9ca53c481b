import type { ApprovalGate } from '../platform/command/approval.js';
import type { CommandWatch } from '../platform/command/counted.js';
import type { Denial } from '../platform/command/denial.js';
import { ForeignIds } from '../platform/command/foreign-ids.js';
import { IdempotencyKey } from '../platform/command/idempotency-key.entity.js';
import type { IdempotencyRecords } from '../platform/command/idempotency-record.js';
import { ProgramCommands } from '../platform/command/program-commands.js';
import { sweepExpiredKeys } from '../platform/command/sweep.js';
import type { Database } from '../platform/database/orm.js';
import { FeedPosition, FeedState } from '../platform/feed/feed.entity.js';
import { noun } from '../platform/noun/noun.js';
import type { ProcessGroup } from '../platform/workers/process-group.js';

interface Needs {
  readonly database: Database;
  readonly records: IdempotencyRecords;
  readonly together: ProcessGroup;
  readonly watch: CommandWatch;
  readonly approvalBook: ApprovalGate;
  readonly deny: (denial: Denial) => void;
}
export interface Services {
  readonly programCommands: ProgramCommands;
  readonly foreignIds: ForeignIds;
}

/**
 * What commands of all nouns have in common: keys with their sweep, the feed, commands about programs, and ids that
 * others have.
 */
export const commands = noun<Needs>()({
  entities: [IdempotencyKey, FeedPosition, FeedState],
  services: ({ database, records, together, watch, approvalBook, deny }): Services => ({
    programCommands: new ProgramCommands(database, records, deny, watch, approvalBook),
    foreignIds: new ForeignIds(together, deny),
  }),
  jobs: async ({ database }, { log }) => [sweepExpiredKeys(database, log)],
});
