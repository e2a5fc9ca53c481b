import { Migration } from '@mikro-orm/migrations';

export class Migration20261125160111_transfers extends Migration {
  override name = 'Migration20261125160111_transfers';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "transfer" ("account_id" text not null, "transfer_id" text not null, "program" text not null, "seq" bigint not null, "from_account_id" text not null, "to_account_id" text not null, "currency" text not null, "amount_minor" bigint not null, "status" text not null, "description" text null, "memo" text null, "reference" text null, "made_at" timestamptz(3) not null, "reversed_at" timestamptz(3) null, primary key ("account_id", "transfer_id"));`,
    );
    this.addSql(`create index "transfer_outgoing" on "transfer" ("account_id", "made_at") include ("amount_minor")
    where account_id = from_account_id and status = 'MADE';`);
    this.addSql(`alter table "transfer" add constraint "transfer_account_id_seq_unique" unique ("account_id", "seq");`);

    this.addSql(
      `create table "transfer_key" ("program" text not null, "transfer_id" text not null, "from_account_id" text not null, primary key ("program", "transfer_id"));`,
    );

    this.addSql(
      `alter table "transfer" add constraint "transfer_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "transfer" add constraint "transfer_reversed" check ((status = 'REVERSED') = (reversed_at is not null));`,
    );
    this.addSql(
      `alter table "transfer" add constraint "transfer_accounts" check (from_account_id <> to_account_id and account_id in (from_account_id, to_account_id));`,
    );
    this.addSql(`alter table "transfer" add constraint "transfer_amount" check (amount_minor > 0);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "transfer" cascade;`);
    this.addSql(`drop table if exists "transfer_key" cascade;`);
  }
}
