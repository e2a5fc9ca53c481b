import { Migration } from 'tillgate/noun';

/** The tables of filings with the IRS. */
export class CreateTaxFilings extends Migration {
  override up(): void {
    this.addSql(
      `create table "tax_filing" ("filing_id" uuid not null, "interest_minor" bigint not null default '0', "penalty_minor" bigint not null default '0', "withheld_minor" bigint not null default '0', "state_withheld_minor" bigint not null default '0', "program" text not null, "tax_year" int not null, "kind" text not null, "format" text not null, "state" text not null, "is_test" boolean not null, "replaces" uuid null, "forms" int not null default 0, "sealed" bytea not null, "created_at" timestamptz(3) not null default now(), "changed_at" timestamptz(3) not null default now(), primary key ("filing_id"));`,
    );
    this.addSql(
      `create index "tax_filing_program_tax_year_created_at_filing_id_index" on "tax_filing" ("program", "tax_year", "created_at", "filing_id");`,
    );
    this.addSql(
      `create table "tax_filing_form" ("filing_id" uuid not null, "part" int not null, "record_id" int not null, "program" text not null, "tax_year" int not null, "account_id" text not null, "statement_id" uuid not null, "corrects" text null, "is_zero" boolean not null, "interest_minor" bigint not null, "filed_at" timestamptz(3) not null default now(), "state" text not null, "errors" jsonb not null, primary key ("filing_id", "part", "record_id"));`,
    );
    this.addSql(
      `create index "tax_filing_form_filing_id_state_part_record_id_index" on "tax_filing_form" ("filing_id", "state", "part", "record_id");`,
    );
    this.addSql(
      `create index "tax_filing_form_program_tax_year_account_id_filing_id_index" on "tax_filing_form" ("program", "tax_year", "account_id", "filing_id");`,
    );
    this.addSql(
      `create table "tax_transmission" ("filing_id" uuid not null, "part" int not null, "interest_minor" bigint not null default '0', "penalty_minor" bigint not null default '0', "withheld_minor" bigint not null default '0', "state_withheld_minor" bigint not null default '0', "transmission_id" text not null, "receipt_id" text null, "original_receipt_id" text null, "state" text not null, "forms" int not null, "size_bytes" bigint not null, "file_name" text not null, "errors" jsonb not null, primary key ("filing_id", "part"));`,
    );
    this.addSql(
      `alter table "tax_transmission" add constraint "tax_transmission_transmission_id_unique" unique ("transmission_id");`,
    );
    this.addSql(
      `create table "tax_unfiled_form" ("program" text not null, "tax_year" int not null, "is_test" boolean not null, "account_id" text not null, "reason" text not null, primary key ("program", "tax_year", "is_test", "account_id"));`,
    );
  }
}
