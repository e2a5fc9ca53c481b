import { Migration } from '@mikro-orm/migrations';

export class Migration20261123070000_programs extends Migration {
  override name = 'Migration20261123070000_programs';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "program" ("program_id" text not null, "name" text not null, "letterhead" json null, "payer" json null, "error_resolution" json null, "logo" json null, "clients" text[] not null, "sealed" bytea not null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("program_id"));`,
    );
    this.addSql(
      `create table "issue_run_issuer" ("run_id" uuid not null, "program" text not null, "sealed" bytea not null, primary key ("run_id", "program"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "issue_run_issuer" cascade;`);
    this.addSql(`drop table if exists "program" cascade;`);
  }
}
