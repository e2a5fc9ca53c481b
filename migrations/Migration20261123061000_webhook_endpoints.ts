import { Migration } from '@mikro-orm/migrations';

export class Migration20261123061000_webhook_endpoints extends Migration {
  override name = 'Migration20261123061000_webhook_endpoints';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "webhook_endpoint" ("endpoint_id" uuid not null, "program" text not null, "url" text not null, "description" text null, "types" text[] not null, "account_ids" text[] not null, "status" text not null, "disabled_reason" text null, "signing" text not null, "public_key" text null, "sealed" bytea not null, "previous_valid_until" timestamptz(3) null, "from_position" bigint not null, "failing_since" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("endpoint_id"));`,
    );
    this.addSql(
      `create index "webhook_endpoint_program_created_at_endpoint_id_index" on "webhook_endpoint" ("program", "created_at", "endpoint_id");`,
    );

    this.addSql(
      `alter table "webhook_endpoint" add constraint "webhook_endpoint_disabled" check ((status = 'DISABLED') = (disabled_reason is not null));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "webhook_endpoint" cascade;`);
  }
}
