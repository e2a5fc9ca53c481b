import { Migration } from '@mikro-orm/migrations';

/** Ledgers are looked through together until they have so many entries: in less than a second, but for a longer one. */
const ENTRIES = 100_000;
const ACCOUNTS = 200;
/** Shorter ledgers need no marks. */
const SHORT = 128;

interface Batch {
  readonly ids: string[] | null;
}

/**
 * Marks the balances of the ledgers that are there. Each batch commits by itself, so ledgers are read and posted to
 * meanwhile. If it is stopped, the next run skips what has been marked.
 */
export class Migration20261123120100_balance_marks_filled extends Migration {
  override name = 'Migration20261123120100_balance_marks_filled';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (let after = ''; ;) {
      const [batch] = (await this.execute(
        `select array_agg(account_id order by account_id) as ids from (
          select account_id, sum(last_seq) over (order by account_id) - last_seq as before from (
            select account_id, last_seq from account a where account_id > ? and last_seq >= ${SHORT}
              and not exists (select from balance_mark b where b.account_id = a.account_id)
              order by account_id limit ${ACCOUNTS}) a) b where before < ${ENTRIES}`,
        [after],
      )) as Batch[];
      const ids = batch?.ids ?? [];
      const last = ids.at(-1);
      if (last === undefined) return;
      await this.execute(
        `select mark_balances(array_agg(k.account_id), array_agg(0::int8)) from (values ${ids.map(() => '(?)').join(', ')}) k(account_id)`,
        ids,
      );
      after = last;
    }
  }

  override down(): void | Promise<void> {
    // The marks go with their table.
  }
}
