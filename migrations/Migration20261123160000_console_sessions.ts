import { Migration } from '@mikro-orm/migrations';

export class Migration20261123160000_console_sessions extends Migration {
  override name = 'Migration20261123160000_console_sessions';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "console_session" ("session_id" uuid not null, "secret_hash" bytea not null, "program" text not null, "subject" text not null, "roles" text[] not null, "sign_in" text not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("session_id"));`,
    );
    this.addSql(
      `alter table "console_session" add constraint "console_session_secret_hash_unique" unique ("secret_hash");`,
    );
    this.addSql(`create index "console_session_ends_at_index" on "console_session" ("ends_at");`);
    this.addSql(
      `create index "console_session_program_subject_created_at_index" on "console_session" ("program", "subject", "created_at");`,
    );

    this.addSql(
      `alter table "console_session" add constraint "console_session_sign_in" check (sign_in in ('demo', 'oidc'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "console_session" cascade;`);
  }
}
