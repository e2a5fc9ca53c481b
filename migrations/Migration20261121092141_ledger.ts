import { Migration } from '@mikro-orm/migrations';

export class Migration20261121092141_ledger extends Migration {
  override name = 'Migration20261121092141_ledger';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "transaction" ("account_id" text not null, "seq" bigint not null, "program" text not null, "transaction_id" text not null, "reference_transaction_id" text null, "reference" text null, "amount_minor" bigint not null, "balance_minor" bigint not null, "debit_credit_memo" text not null, "category" text not null, "transaction_type" text not null, "status" text not null, "description" text null, "memo" text null, "transaction_timestamp" timestamptz(3) not null, "posted_timestamp" timestamptz(3) null, "occurred_at" timestamptz(3) generated always as (coalesce(posted_timestamp, transaction_timestamp)) stored not null, "additional_information" jsonb not null, "line_item" jsonb not null, primary key ("account_id", "seq"));`,
    );
    this.addSql(
      `create index "transaction_occurred" on "transaction" ("program", "occurred_at", "account_id", "seq");`,
    );
    this.addSql(`create index "transaction_type" on "transaction" ("account_id", "transaction_type", "seq");`);
    this.addSql(`create index "transaction_posted" on "transaction" ("account_id", "posted_timestamp", "seq")
    include ("transaction_type", "category", "status", "debit_credit_memo", "amount_minor");`);
    this.addSql(
      `alter table "transaction" add constraint "transaction_account_id_transaction_id_unique" unique ("account_id", "transaction_id");`,
    );

    this.addSql(`alter table "account" add "last_seq" bigint not null default '0';`);

    this.addSql(
      `alter table "transaction" add constraint "transaction_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(`alter table "transaction" add constraint "transaction_amount" check (amount_minor >= 0);`);

    // What is on a ledger stays as it is, whoever asks: a correction is a new entry.
    this.addSql(`create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% of % is refused: it is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
      end
    $$;`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "transaction" for each statement execute function refuse_change();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "transaction" cascade;`);
    this.addSql(`drop function refuse_change();`);

    this.addSql(`alter table "account" drop column "last_seq";`);
  }
}
