import { Migration } from '@mikro-orm/migrations';

/** Pages of the table that are filled by one statement: some 4,000 rows, in less than a second. */
const PAGES = 128;

/**
 * Fills the local times of the rows that were there before. Each batch commits by itself, so a ledger of any length
 * is filled while it is read and posted to. If it is stopped, the next run skips what has been filled.
 */
export class Migration20261123050100_local_times_filled extends Migration {
  override name = 'Migration20261123050100_local_times_filled';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // Rows never move, and whatever comes behind the present end has its local times.
    const [{ pages }] = (await this.execute(
      `select pg_relation_size('transaction') / current_setting('block_size')::int as pages`,
    )) as [{ pages: string }];
    for (let first = 0; first < Number(pages); first += PAGES) {
      await this.execute(`update "transaction" t
        set transaction_time = date_trunc('second', t.transaction_timestamp at time zone a.time_zone),
          posted_time = date_trunc('second', t.posted_timestamp at time zone a.time_zone)
        from account a
        where a.account_id = t.account_id and t.transaction_time is null
          and t.ctid >= '(${first},0)'::tid and t.ctid < '(${first + PAGES},0)'::tid`);
    }
    await this.execute(`alter table "transaction" validate constraint "transaction_time_known"`);
  }

  override down(): void | Promise<void> {
    // The local times go with their columns.
  }
}
