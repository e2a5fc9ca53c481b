import { Migration } from '@mikro-orm/migrations';

/** The columns that never change once a row is written. The local times join them when all rows have them. */
const WRITTEN_ONCE = `account_id, seq, program, transaction_id, reference_transaction_id, reference, amount_minor, balance_minor,
  debit_credit_memo, category, transaction_type, status, description, memo, transaction_timestamp, posted_timestamp,
  additional_information, line_item`;

/** Prepares the local times of transactions. The next two migrations fill them and require them. */
export class Migration20261123050000_local_times extends Migration {
  override name = 'Migration20261123050000_local_times';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "transaction" add "transaction_time" timestamp(0) null, add "posted_time" timestamp(0) null;`,
    );
    // The release before this one writes rows without local times, while the rows are filled and until its last
    // process has ended.
    this.addSql(`create function fill_local_times() returns trigger language plpgsql as $$
      begin
        select date_trunc('second', new.transaction_timestamp at time zone a.time_zone),
          date_trunc('second', new.posted_timestamp at time zone a.time_zone)
          into new.transaction_time, new.posted_time from account a where a.account_id = new.account_id;
        return new;
      end
    $$;`);
    this.addSql(
      `create trigger local_times before insert on "transaction" for each row when (new.transaction_time is null) execute function fill_local_times();`,
    );
    // Not valid yet, so that it looks at new rows alone. The next migration validates it without a lock that others
    // wait for.
    this.addSql(
      `alter table "transaction" add constraint "transaction_time_known" check (transaction_time is not null) not valid;`,
    );

    // A ledger stays append-only while it is filled: of a row that is on it only missing local times can be set.
    this.addSql(`drop trigger append_only on "transaction";`);
    this.addSql(
      `create trigger append_only before update of ${WRITTEN_ONCE} or delete or truncate on "transaction" for each statement execute function refuse_change();`,
    );
    this.addSql(
      `create trigger local_times_once before update on "transaction" for each row when (old.transaction_time is not null) execute function refuse_change();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger local_times_once on "transaction";`);
    this.addSql(`drop trigger append_only on "transaction";`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "transaction" for each statement execute function refuse_change();`,
    );
    this.addSql(`alter table "transaction" drop constraint "transaction_time_known";`);
    this.addSql(`drop trigger local_times on "transaction";`);
    this.addSql(`drop function fill_local_times();`);
    this.addSql(`alter table "transaction" drop column "transaction_time", drop column "posted_time";`);
  }
}
