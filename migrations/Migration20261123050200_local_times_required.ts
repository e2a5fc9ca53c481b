import { Migration } from '@mikro-orm/migrations';

/** Every transaction has its local times now, and no column of it changes again. */
export class Migration20261123050200_local_times_required extends Migration {
  override name = 'Migration20261123050200_local_times_required';

  override up(): void | Promise<void> {
    // The constraint proves it, so PostgreSQL does not read the table for it.
    this.addSql(`alter table "transaction" alter column "transaction_time" set not null;`);
    this.addSql(`alter table "transaction" drop constraint "transaction_time_known";`);
    this.addSql(`drop trigger local_times_once on "transaction";`);
    this.addSql(`drop trigger append_only on "transaction";`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "transaction" for each statement execute function refuse_change();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "transaction" alter column "transaction_time" drop not null;`);
    this.addSql(
      `alter table "transaction" add constraint "transaction_time_known" check (transaction_time is not null) not valid;`,
    );
    // The migration before this one sets only what is missing, which nothing is.
    this.addSql(
      `create trigger local_times_once before update on "transaction" for each row when (old.transaction_time is not null) execute function refuse_change();`,
    );
  }
}
