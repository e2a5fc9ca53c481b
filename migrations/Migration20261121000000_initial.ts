import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000000_initial extends Migration {
  override name = 'Migration20261121000000_initial';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account" ("account_id" text not null, "program" text not null, "account_type" text not null, "currency" text not null, "time_zone" text not null, "status" text not null, "opened_on" date not null, "interest_bearing" boolean not null, "balance_minor" bigint not null default '0', primary key ("account_id"));`,
    );
    this.addSql(`create index "account_program_account_id_index" on "account" ("program", "account_id");`);

    this.addSql(
      `create table "beneficiary" ("account_id" text not null, "beneficiary_id" uuid not null, "position" int not null, "name_first" text not null, "name_middle" text null, "name_last" text not null, "tax_id" text null, "tax_id_type" text null, "beneficiary_type" text not null, "relationship" text not null, "share_percentage" int not null, "sealed" bytea not null, primary key ("account_id", "beneficiary_id"));`,
    );
    this.addSql(
      `alter table "beneficiary" add constraint "beneficiary_account_id_position_unique" unique ("account_id", "position");`,
    );

    this.addSql(
      `create table "customer" ("customer_id" uuid not null, "program" text not null, "name_first" text not null, "name_middle" text null, "name_last" text not null, "tax_id" text null, "tax_id_country" text null, "government_id" text null, "sealed" bytea not null, primary key ("customer_id"));`,
    );
    this.addSql(`create index "customer_program_index" on "customer" ("program");`);

    this.addSql(
      `create table "account_owner" ("account_id" text not null, "customer_id" uuid not null, "position" int not null, primary key ("account_id", "customer_id"));`,
    );
    this.addSql(
      `create index "account_owner_customer_id_account_id_index" on "account_owner" ("customer_id", "account_id");`,
    );
    this.addSql(
      `alter table "account_owner" add constraint "account_owner_account_id_position_unique" unique ("account_id", "position");`,
    );

    this.addSql(
      `create table "event" ("id" bigserial primary key, "occurred_at" timestamptz(3) not null default now(), "program" text not null, "client_id" text not null, "subject" text not null, "request_id" text not null, "action" text not null, "account_id" text null, "object" text not null, "data" jsonb not null);`,
    );
    this.addSql(`create index "event_program_id_index" on "event" ("program", "id");`);

    this.addSql(
      `create table "idempotency_key" ("key_hash" bytea not null, "program" text not null, "outcome" bytea not null, "expires_at" timestamptz(3) not null, primary key ("key_hash"));`,
    );
    this.addSql(`create index "idempotency_key_expires_at_index" on "idempotency_key" ("expires_at");`);

    this.addSql(
      `alter table "beneficiary" add constraint "beneficiary_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "beneficiary" add constraint "beneficiary_share_percentage" check (share_percentage BETWEEN 0 AND 100);`,
    );

    this.addSql(
      `alter table "account_owner" add constraint "account_owner_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "account_owner" add constraint "account_owner_customer_id_foreign" foreign key ("customer_id") references "customer" ("customer_id") on update no action on delete no action;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "beneficiary" drop constraint "beneficiary_account_id_foreign";`);
    this.addSql(`alter table "account_owner" drop constraint "account_owner_account_id_foreign";`);
    this.addSql(`alter table "account_owner" drop constraint "account_owner_customer_id_foreign";`);

    this.addSql(`drop table if exists "account" cascade;`);
    this.addSql(`drop table if exists "beneficiary" cascade;`);
    this.addSql(`drop table if exists "customer" cascade;`);
    this.addSql(`drop table if exists "account_owner" cascade;`);
    this.addSql(`drop table if exists "event" cascade;`);
    this.addSql(`drop table if exists "idempotency_key" cascade;`);
  }
}
