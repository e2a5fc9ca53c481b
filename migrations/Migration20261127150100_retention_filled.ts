import { Migration } from '@mikro-orm/migrations';

/** So many accounts in a statement. */
const BATCH = 1000;

const INDEXES = {
  account_program_closed_at: '"account" ("program", "closed_at") where closed_at is not null',
  customer_account_ended: '"customer" ("customer_id") where account_ended_at is not null and erased_at is null',
  approval_account_id_index: '"approval" ("account_id")',
};

/**
 * Fills when accounts were closed, by their events. Where an account has none, its time begins now. Each batch commits
 * by itself. If it is stopped, the next run skips what has been filled.
 */
export class Migration20261127150100_retention_filled extends Migration {
  override name = 'Migration20261127150100_retention_filled';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    let after: string | null = '';
    while (after !== null) {
      const rows = (await this.execute(
        `select max(account_id) as last from (select account_id from account where account_id > ? order by account_id limit ${BATCH}) b`,
        [after],
      )) as { last: string | null }[];
      const last: string | null = rows[0]?.last ?? null;
      await this.execute(
        `update account a set closed_at = coalesce((select max(e.occurred_at) from account_event e
            where e.account_id = a.account_id and e.action = 'account.close'), now())
          where a.account_id > ? and a.account_id <= ? and a.status = 'CLOSED' and a.closed_at is null`,
        [after, last ?? after],
      );
      after = last;
    }
    // What a run that was stopped left of an index cannot be used.
    for (const [index, of] of Object.entries(INDEXES)) {
      await this.execute(`drop index if exists ${index}`);
      await this.execute(`create index concurrently ${index} on ${of}`);
    }
  }

  override async down(): Promise<void> {
    for (const index of Object.keys(INDEXES)) await this.execute(`drop index if exists ${index}`);
  }
}
