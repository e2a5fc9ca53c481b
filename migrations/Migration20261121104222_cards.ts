import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104222_cards extends Migration {
  override name = 'Migration20261121104222_cards';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "card" ("account_id" text not null, "card_id" text not null, "type" text not null, "number" text not null, "last4" text not null, "currency" text not null, "expiration" text not null, "card_holder_id" text not null, "card_product_id" text not null, "pin_is_set" boolean not null, "status" text not null, "created" timestamptz(3) not null, "sealed_number" bytea not null, "number_digest" bytea not null, "pin_verification" bytea null, primary key ("account_id", "card_id"));`,
    );
    this.addSql(`alter table "card" add constraint "card_number_digest_unique" unique ("number_digest");`);

    this.addSql(
      `alter table "card" add constraint "card_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "card" cascade;`);
  }
}
