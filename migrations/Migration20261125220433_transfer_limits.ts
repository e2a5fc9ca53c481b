import { Migration } from '@mikro-orm/migrations';

export class Migration20261125220433_transfer_limits extends Migration {
  override name = 'Migration20261125220433_transfer_limits';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_limit" ("account_id" text not null, "per_transfer_minor" bigint null, "per_day_minor" bigint null, "per_30_days_minor" bigint null, "transfers_per_day" int null, "card_holds_per_day_minor" bigint null, primary key ("account_id"));`,
    );

    this.addSql(`create index "hold_of_cards" on "hold" ("account_id", "placed_at") where card_id is not null;`);

    this.addSql(`alter table "program" add "transfers" json null;`);

    this.addSql(
      `alter table "account_limit" add constraint "account_limit_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "account_limit" cascade;`);

    this.addSql(`drop index "hold_of_cards";`);

    this.addSql(`alter table "program" drop column "transfers";`);
  }
}
