import { Migration } from '@mikro-orm/migrations';

export class Migration20261123130000_approvals extends Migration {
  override name = 'Migration20261123130000_approvals';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "approval" ("approval_id" uuid not null, "program" text not null, "status" text not null, "command" text not null, "account_id" text null, "object" text null, "facts" json not null, "client_id" text not null, "subject" text not null, "request_id" text not null, "requested_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "decided_by" text null, "decided_at" timestamptz(3) null, "reason" text null, "code" text null, "key_hash" bytea not null, "sealed" bytea not null, primary key ("approval_id"));`,
    );
    this.addSql(
      `create index "approval_program_expires_at_index" on "approval" ("program", "expires_at") where status = 'WAITING';`,
    );
    this.addSql(
      `create index "approval_program_requested_at_approval_id_index" on "approval" ("program", "requested_at", "approval_id");`,
    );

    this.addSql(`alter table "program" add "approvals" json null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "approval" cascade;`);

    this.addSql(`alter table "program" drop column "approvals";`);
  }
}
