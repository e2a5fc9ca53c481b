import { Migration } from '@mikro-orm/migrations';

export class Migration20261123100000_holds extends Migration {
  override name = 'Migration20261123100000_holds';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "hold" ("account_id" text not null, "hold_id" text not null, "program" text not null, "seq" bigint not null, "currency" text not null, "amount_minor" bigint not null, "captured_minor" bigint not null, "captures" integer not null, "status" text not null, "description" text not null, "reference" text null, "card_id" text null, "placed_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("account_id", "hold_id"));`,
    );
    this.addSql(`create index "hold_active" on "hold" ("program", "expires_at") where status = 'ACTIVE';`);
    this.addSql(`alter table "hold" add constraint "hold_account_id_seq_unique" unique ("account_id", "seq");`);
    this.addSql(
      `alter table "hold" add constraint "hold_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "hold" add constraint "hold_amounts" check (amount_minor > 0 and captured_minor >= 0 and captured_minor <= amount_minor);`,
    );
    this.addSql(`alter table "hold" add constraint "hold_ends" check ((status = 'ACTIVE') = (ended_at is null));`);
    this.addSql(`alter table "account" add constraint "account_held" check (held_minor >= 0);`);
    this.addSql(`alter table "program" add "check_funds" boolean not null default false;`);
    // The present of a program, by which its holds end. Everything that asks for it calls this function.
    this.addSql(`create function program_now(program text) returns timestamptz language sql stable as $$
      select date_trunc('milliseconds', now())
    $$;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop function program_now;`);
    this.addSql(`alter table "program" drop column "check_funds";`);
    this.addSql(`alter table "account" drop constraint "account_held";`);
    this.addSql(`drop table if exists "hold" cascade;`);
  }
}
