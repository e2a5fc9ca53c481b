import { Migration } from '@mikro-orm/migrations';
import { MIXED_VIEW, OTHERS, PROGRAM_CHAINS, moving } from './Migration20261123170200_events_apart_used.js';

const BATCH = 4000;

/**
 * Moves what belongs to no account to the tables of programs. Each batch commits by itself, while events are read and
 * recorded: the view shows each row once, wherever it is. If it is stopped, the next run goes on.
 */
export class Migration20261123170300_events_apart_moved extends Migration {
  override name = 'Migration20261123170300_events_apart_moved';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const chain of PROGRAM_CHAINS) {
      const ids = `select id from account_event where ${chain.seq} is not null order by program, ${chain.seq} limit ${BATCH}`;
      let moved = BATCH;
      while (moved === BATCH) {
        [{ moved }] = (await this.execute(moving(chain, ids))) as [{ moved: number }];
      }
    }
    await this.execute(`alter table "account_event" validate constraint "account_event_chained"`);
    // By itself: whoever writes through the view has locked it before the table.
    await this.execute(`create or replace view "event" as
      select id, occurred_at, program, 'DONE'::text as outcome, client_id, subject, request_id, action, account_id, object, data,
        chain_seq, null::bigint as denied_seq, null::bigint as program_seq, hash from account_event ${OTHERS}`);
  }

  override async down(): Promise<void> {
    // The migration before this one moves the rows back.
    await this.execute(MIXED_VIEW);
  }
}
