import { Migration } from '@mikro-orm/migrations';

const BATCH = 4000;

/**
 * Removes what was copied to other tables. Each batch commits by itself, while events are read and recorded. If it is
 * stopped, the next run goes on.
 */
export class Migration20261123170300_events_apart_moved extends Migration {
  override name = 'Migration20261123170300_events_apart_moved';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const seq of ['program_seq', 'denied_seq']) {
      let removed = BATCH;
      while (removed === BATCH) {
        [{ removed }] = (await this.execute(`with removed as (
            delete from "account_event" e using (
              select id from "account_event" where ${seq} is not null order by program, ${seq} limit ${BATCH}) b
            where e.id = b.id returning 1)
          select count(*)::int as removed from removed`)) as [{ removed: number }];
      }
    }
    await this.execute(`alter table "account_event" validate constraint "account_event_chained"`);
  }

  override down(): void | Promise<void> {
    // The migration before copies them back.
  }
}
