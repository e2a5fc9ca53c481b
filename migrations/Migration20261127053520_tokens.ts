import { Migration } from '@mikro-orm/migrations';

export class Migration20261127053520_tokens extends Migration {
  override name = 'Migration20261127053520_tokens';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "token_revocation" ("program" text not null, "kind" text not null, "value" text not null, "revocation_id" uuid not null, "latest_issued_at" timestamptz(3) null, "revoked_at" timestamptz(3) not null, primary key ("program", "kind", "value"));`,
    );
    this.addSql(`create index "token_revocation_revoked_at_index" on "token_revocation" ("revoked_at");`);
    this.addSql(
      `create index "token_revocation_program_revoked_at_revocation_id_index" on "token_revocation" ("program", "revoked_at", "revocation_id");`,
    );
    this.addSql(
      `alter table "token_revocation" add constraint "token_revocation_revocation_id_unique" unique ("revocation_id");`,
    );

    this.addSql(
      `create table "dpop_proof" ("proof_hash" bytea not null, "ends_at" timestamptz(3) not null, primary key ("proof_hash"));`,
    );
    this.addSql(`create index "dpop_proof_ends_at_index" on "dpop_proof" ("ends_at");`);

    this.addSql(
      `alter table "token_revocation" add constraint "token_revocation_issued" check ((kind = 'TOKEN') = (latest_issued_at is null));`,
    );
    this.addSql(
      `alter table "token_revocation" add constraint "token_revocation_kind" check (kind in ('TOKEN', 'CLIENT', 'SUBJECT'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "token_revocation" cascade;`);
    this.addSql(`drop table if exists "dpop_proof" cascade;`);
  }
}
