import { Migration } from '@mikro-orm/migrations';

export class Migration20261127053740_people_lists extends Migration {
  override name = 'Migration20261127053740_people_lists';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "note" ("note_id" uuid not null, "program" text not null, "account_id" text null, "transaction_id" text null, "customer_id" uuid null, "subject" text not null, "client_id" text not null, "created_at" timestamptz(3) not null, "sealed" bytea not null, primary key ("note_id"));`,
    );
    this.addSql(
      `create index "note_program_customer_id_created_at_note_id_index" on "note" ("program", "customer_id", "created_at", "note_id");`,
    );
    this.addSql(
      `create index "note_program_account_id_created_at_note_id_index" on "note" ("program", "account_id", "created_at", "note_id");`,
    );

    this.addSql(`drop index "customer_program_index";`);
    this.addSql(`create index "customer_program_customer_id_index" on "customer" ("program", "customer_id");`);

    this.addSql(
      `create index "program_event_program_object_occurred_at_id_index" on "program_event" ("program", "object", "occurred_at", "id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "note" cascade;`);

    this.addSql(`drop index "customer_program_customer_id_index";`);
    this.addSql(`create index "customer_program_index" on "customer" ("program");`);

    this.addSql(`drop index "program_event_program_object_occurred_at_id_index";`);
  }
}
