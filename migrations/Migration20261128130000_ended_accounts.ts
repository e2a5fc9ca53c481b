import { Migration } from '@mikro-orm/migrations';

/**
 * The ids of deleted accounts stay, whatever deletes them. Those that have ended before are in the events of their
 * programs.
 */
export class Migration20261128130000_ended_accounts extends Migration {
  override name = 'Migration20261128130000_ended_accounts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "ended_account" ("account_id" text not null, "program" text not null, "ended_at" timestamptz(3) not null, primary key ("account_id"));`,
    );
    this.addSql(
      `create trigger append_only before update or delete or truncate on "ended_account" for each statement execute function refuse_change();`,
    );
    this.addSql(`create function keep_ended_id() returns trigger language plpgsql security definer as $$
      begin
        insert into ended_account (account_id, program, ended_at) values (old.account_id, old.program, now())
          on conflict do nothing;
        return null;
      end
    $$;`);
    // Nobody can put another table in its place.
    this.addSql(`do $$ begin
      execute format('alter function keep_ended_id() set search_path = %I, pg_temp', current_schema());
    end $$;`);
    this.addSql(
      `create trigger keep_ended_id after delete on "account" for each row execute function keep_ended_id();`,
    );
    this.addSql(`insert into ended_account (account_id, program, ended_at)
      select substr(object, length('account/') + 1), program, occurred_at from program_event where action = 'account.end'
      on conflict do nothing;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger keep_ended_id on "account";`);
    this.addSql(`drop function keep_ended_id();`);
    this.addSql(`drop table "ended_account";`);
  }
}
