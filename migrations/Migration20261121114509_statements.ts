import { Migration } from '@mikro-orm/migrations';

export class Migration20261121114509_statements extends Migration {
  override name = 'Migration20261121114509_statements';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "former_owner" ("account_id" text not null, "owned_until" timestamptz(3) not null, "customer_id" uuid not null, "position" int not null, primary key ("account_id", "owned_until", "customer_id"));`,
    );

    this.addSql(
      `create table "issue_run" ("run_id" uuid not null, "started_at" timestamptz(3) not null default now(), "kind" text not null, "period" text not null, "program" text null, "accounts" int not null, "done" int not null default 0, "issued" int not null default 0, "corrected" int not null default 0, "early" int not null default 0, "failed" int not null default 0, "failures" jsonb not null, primary key ("run_id"));`,
    );

    this.addSql(
      `create table "statement" ("account_id" text not null, "statement_id" uuid not null, "program" text not null, "document_type" text not null, "source" text not null, "statement_date" date not null, "description" text not null, "issued_at" timestamptz(3) not null default now(), "corrects_statement_id" uuid null, "through_seq" bigint null, "amount_minor" bigint null, "size_bytes" int not null, "sha256" bytea not null, "sealed_key" bytea not null, "pdf" bytea not null, "content" bytea null, primary key ("account_id", "statement_id"));`,
    );
    this.addSql(`create unique index "statement_corrected_once" on "statement" ("account_id", "corrects_statement_id")
    where corrects_statement_id is not null;`);
    this
      .addSql(`create unique index "statement_issued_once" on "statement" ("account_id", "document_type", "statement_date")
    where source = 'PLATFORM' and corrects_statement_id is null;`);
    this.addSql(
      `create index "statement_newest" on "statement" ("account_id", "statement_date", "issued_at", "statement_id");`,
    );

    this.addSql(
      `alter table "former_owner" add constraint "former_owner_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "former_owner" add constraint "former_owner_customer_id_foreign" foreign key ("customer_id") references "customer" ("customer_id") on update no action on delete no action;`,
    );

    this.addSql(
      `alter table "statement" add constraint "statement_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "statement" add constraint "statement_issued" check ((source = 'PLATFORM') = (through_seq is not null and amount_minor is not null and content is not null));`,
    );

    // Encrypted bytes do not shrink, so trying to compress them is a waste.
    this.addSql(
      `alter table "statement" alter column "pdf" set storage external, alter column "content" set storage external;`,
    );
    // Of an issued document only the seal of its key is ever made anew.
    this
      .addSql(`create trigger append_only before update of "account_id", "statement_id", "program", "document_type", "source",
      "statement_date", "description", "issued_at", "corrects_statement_id", "through_seq", "amount_minor", "size_bytes", "sha256", "pdf",
      "content" or delete or truncate on "statement" for each statement execute function refuse_change();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "former_owner" cascade;`);
    this.addSql(`drop table if exists "issue_run" cascade;`);
    this.addSql(`drop table if exists "statement" cascade;`);
  }
}
