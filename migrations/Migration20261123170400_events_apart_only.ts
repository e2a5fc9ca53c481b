import { Migration } from '@mikro-orm/migrations';

/** The table has nothing but what was done in accounts now, by their chains. */
export class Migration20261123170400_events_apart_only extends Migration {
  override name = 'Migration20261123170400_events_apart_only';

  override up(): void | Promise<void> {
    // The constraint proves it, so PostgreSQL does not read the table for it.
    this.addSql(
      `alter table "account_event" alter "account_id" set not null, alter "chain_seq" set not null, alter "hash" set not null;`,
    );
    this.addSql(`alter table "account_event" drop constraint "account_event_chained";`);
    this.addSql(
      `alter table "account_event" drop constraint "event_pkey", drop constraint "event_account_id_chain_seq_unique";`,
    );
    this.addSql(
      `alter table "account_event" add constraint "account_event_pkey" primary key using index "account_event_pkey", add constraint "account_event_id_unique" unique using index "account_event_id_unique";`,
    );
    this.addSql(
      `alter index "event_program_occurred_at_id_index" rename to "account_event_program_occurred_at_id_index";`,
    );
    this.addSql(
      `alter table "account_event" drop column "outcome", drop column "denied_seq", drop column "program_seq";`,
    );
    this.addSql(`drop trigger append_only_rows on "account_event";`);
    this.addSql(`drop trigger append_only on "account_event";`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "account_event" for each statement execute function refuse_change();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger append_only on "account_event";`);
    this.addSql(
      `create trigger append_only before update or truncate on "account_event" for each statement execute function refuse_change();`,
    );
    this.addSql(
      `alter table "account_event" drop constraint "account_event_pkey", drop constraint "account_event_id_unique";`,
    );
    this.addSql(
      `alter table "account_event" alter "account_id" drop not null, alter "chain_seq" drop not null, alter "hash" drop not null;`,
    );
    this.addSql(
      `alter table "account_event" add "outcome" text not null default 'DONE', add "denied_seq" bigint null, add "program_seq" bigint null;`,
    );
    this.addSql(
      `create trigger append_only_rows before delete on "account_event" for each row when (old.chain_seq is not null) execute function refuse_change();`,
    );
    this.addSql(`alter table "account_event" add constraint "event_pkey" primary key ("id");`);
    this.addSql(
      `alter table "account_event" add constraint "event_account_id_chain_seq_unique" unique ("account_id", "chain_seq");`,
    );
    this.addSql(
      `create unique index "event_program_denied_seq_unique" on "account_event" ("program", "denied_seq") where denied_seq is not null;`,
    );
    this.addSql(
      `create unique index "event_program_program_seq_unique" on "account_event" ("program", "program_seq") where program_seq is not null;`,
    );
    this.addSql(
      `alter index "account_event_program_occurred_at_id_index" rename to "event_program_occurred_at_id_index";`,
    );
    this.addSql(
      `alter table "account_event" add constraint "account_event_chained" check (account_id is not null and chain_seq is not null and hash is not null) not valid;`,
    );
  }
}
