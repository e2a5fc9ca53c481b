import { Migration } from '@mikro-orm/migrations';

export class Migration20261123080000_statement_runs extends Migration {
  override name = 'Migration20261123080000_statement_runs';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "issue_left_out" ("run_id" uuid not null, "program" text not null, "account_id" text not null, "reasons" text[] not null, primary key ("run_id", "program", "account_id"));`,
    );
    this.addSql(
      `create table "issue_run_program" ("run_id" uuid not null, "program" text not null, "accounts" int not null, "done" int not null default 0, "issued" int not null default 0, "corrected" int not null default 0, "early" int not null default 0, "left_out" int not null default 0, primary key ("run_id", "program"));`,
    );
    this.addSql(`create index "issue_run_program_program_index" on "issue_run_program" ("program");`);

    this.addSql(`alter table "issue_batch" add "to_account_id" text null, add "account_ids" text[] null;`);
    this.addSql(`alter table "issue_batch" alter column "done_at" drop default;`);
    this.addSql(`alter table "issue_batch" alter column "done_at" drop not null;`);

    this.addSql(
      `alter table "issue_run" add "started_by" text null, add "finished_at" timestamptz(3) null, add "issue_incomplete" boolean not null default false, add "rerun_of" uuid null;`,
    );
    this.addSql(`alter table "issue_run" rename column "failed" to "left_out";`);
    this.addSql(`alter table "statement" add "correction_kind" text null;`);

    // What earlier runs kept: the first hundred accounts that failed, and the numbers of runs for one program.
    this.addSql(`insert into "issue_left_out" ("run_id", "program", "account_id", "reasons")
      select r.run_id, a.program, a.account_id, array_agg(distinct f ->> 'code') from "issue_run" r
      cross join lateral jsonb_array_elements(r.failures) f join "account" a on a.account_id = f ->> 'accountId'
      where f ->> 'code' in ('recipient_unknown', 'unreadable', 'too_many_entries')
      group by r.run_id, a.program, a.account_id;`);
    this.addSql(`insert into "issue_run_program"
      select run_id, program, accounts, done, issued, corrected, early, left_out from "issue_run" where program is not null;`);
    this.addSql(`alter table "issue_run" drop column "failures";`);

    // A correction says for good what it corrects.
    this.addSql(`drop trigger append_only on "statement";`);
    this
      .addSql(`create trigger append_only before update of "account_id", "statement_id", "program", "document_type", "source",
      "statement_date", "description", "issued_at", "corrects_statement_id", "correction_kind", "through_seq", "amount_minor",
      "size_bytes", "sha256", "pdf", "content" or delete or truncate on "statement" for each statement execute function refuse_change();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger append_only on "statement";`);
    this
      .addSql(`create trigger append_only before update of "account_id", "statement_id", "program", "document_type", "source",
      "statement_date", "description", "issued_at", "corrects_statement_id", "through_seq", "amount_minor", "size_bytes", "sha256", "pdf",
      "content" or delete or truncate on "statement" for each statement execute function refuse_change();`);
    this.addSql(`drop table if exists "issue_left_out" cascade;`);
    this.addSql(`drop table if exists "issue_run_program" cascade;`);

    this.addSql(`delete from "issue_batch" where "done_at" is null;`);
    this.addSql(`alter table "issue_batch" drop column "to_account_id", drop column "account_ids";`);
    this.addSql(`alter table "issue_batch" alter column "done_at" set default now();`);
    this.addSql(`alter table "issue_batch" alter column "done_at" set not null;`);

    this.addSql(
      `alter table "issue_run" drop column "started_by", drop column "finished_at", drop column "issue_incomplete", drop column "rerun_of";`,
    );
    this.addSql(`alter table "issue_run" rename column "left_out" to "failed";`);
    this.addSql(`alter table "issue_run" add "failures" jsonb not null default '[]';`);
    this.addSql(`alter table "issue_run" alter column "failures" drop default;`);

    this.addSql(`alter table "statement" drop column "correction_kind";`);
  }
}
