import { Migration } from '@mikro-orm/migrations';

export class Migration20261121125046_issue_batches extends Migration {
  override name = 'Migration20261121125046_issue_batches';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "issue_batch" ("run_id" uuid not null, "from_account_id" text not null, "done_at" timestamptz(3) not null default now(), primary key ("run_id", "from_account_id"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "issue_batch" cascade;`);
  }
}
