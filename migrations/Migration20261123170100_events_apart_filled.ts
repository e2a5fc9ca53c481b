import { Migration } from '@mikro-orm/migrations';

/** So many accounts in a statement. */
const BATCH = 2000;

/**
 * Fills the ends of the chains that were there before, and makes the indexes of the events of accounts. Each batch
 * commits by itself, while events are read and recorded. If it is stopped, the next run skips what has been filled.
 */
export class Migration20261123170100_events_apart_filled extends Migration {
  override name = 'Migration20261123170100_events_apart_filled';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    let after: string | null = '';
    while (after !== null) {
      // Locked in the order of their ids, as all lock accounts. Whatever was recorded meanwhile has moved the end
      // further.
      const [{ last }] = (await this.execute(`with batch as materialized (
          select account_id from account where account_id > '${after}' order by account_id limit ${BATCH} for no key update
        ), filled as (
          update account a set event_seq = l.chain_seq, event_hash = l.hash
          from batch b cross join lateral (select e.chain_seq, e.hash from event e
            where e.account_id = b.account_id and e.chain_seq is not null order by e.chain_seq desc limit 1) l
          where a.account_id = b.account_id and a.event_seq < l.chain_seq
        )
        select max(account_id) as last from batch`)) as [{ last: string | null }];
      after = last;
    }
    // What a run that was stopped left of an index cannot be used.
    for (const [index, columns] of [
      ['account_event_pkey', 'account_id, chain_seq'],
      ['account_event_id_unique', 'id'],
    ]) {
      await this.execute(`drop index if exists ${index}`);
      await this.execute(`create unique index concurrently ${index} on "event" (${columns})`);
    }
  }

  override async down(): Promise<void> {
    await this.execute('drop index if exists account_event_pkey');
    await this.execute('drop index if exists account_event_id_unique');
  }
}
