import { Migration } from 'tillgate/noun';

/** The tables of endpoints, of deliveries to them, and of what sends these. */
export class CreateWebhooks extends Migration {
  override up(): void {
    this.addSql(
      `create table "webhook_attempt" ("delivery_id" uuid not null, "attempt_id" uuid not null, "started_at" timestamptz(3) not null, "duration_ms" int not null, "status" int null, "error" text null, "answer" bytea null, primary key ("delivery_id", "attempt_id"));`,
    );
    this.addSql(
      `create table "webhook_delivery" ("delivery_id" uuid not null, "endpoint_id" uuid not null, "position" bigint not null, "event_id" bigint null, "type" text not null, "test_data" jsonb null, "lane" text not null, "state" text not null default 'WAITING', "created_at" timestamptz(3) not null default now(), "due_at" timestamptz(3) null, "attempts" int not null default 0, "started_at" timestamptz(3) null, "duration_ms" int null, "status" int null, "answer" bytea null, primary key ("delivery_id"));`,
    );
    this.addSql(
      `create index "webhook_delivery_held" on "webhook_delivery" ("endpoint_id", "lane", "position") where state = 'HELD';`,
    );
    this.addSql(
      `create index "webhook_delivery_waiting" on "webhook_delivery" ("endpoint_id", "position", "delivery_id") where state = 'WAITING';`,
    );
    this.addSql(
      `create index "webhook_delivery_endpoint_id_position_index" on "webhook_delivery" ("endpoint_id", "position");`,
    );
    this.addSql(
      `create table "webhook_distribution" ("id" int not null, "position" bigint not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "webhook_endpoint" ("endpoint_id" uuid not null, "program" text not null, "url" text not null, "description" text null, "types" text[] not null, "account_ids" text[] not null, "status" text not null, "disabled_reason" text null, "signing" text not null, "public_key" text null, "sealed" bytea not null, "previous_valid_until" timestamptz(3) null, "from_position" bigint not null, "failing_since" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("endpoint_id"));`,
    );
    this.addSql(
      `create index "webhook_endpoint_program_created_at_endpoint_id_index" on "webhook_endpoint" ("program", "created_at", "endpoint_id");`,
    );
    this.addSql(
      `create table "webhook_sender" ("endpoint_id" uuid not null, "is_known" boolean not null default false, "missed_after" bigint null, "recover_since" timestamptz(3) null, "holder" int null, "leased_until" timestamptz(3) null, "due_at" timestamptz(3) null, "additions" int not null default 0, "insertions" int not null default 0, "paused_until" timestamptz(3) null, primary key ("endpoint_id"));`,
    );
    this.addSql(
      `alter table "webhook_endpoint" add constraint "webhook_endpoint_disabled" check ((status = 'DISABLED') = (disabled_reason is not null));`,
    );
    this.addSql(`insert into "webhook_distribution" ("id", "position") values (1, 0);`);
    // These rows change many times a second: there is room for the next version beside each.
    this.addSql(`alter table "webhook_sender" set (fillfactor = 50);`);
    this.addSql(`alter table "webhook_distribution" set (fillfactor = 50);`);
    // Each delivery changes once or more, and a table of millions would wait long for a fifth of them.
    this.addSql(`alter table "webhook_delivery" set (autovacuum_vacuum_scale_factor = 0.02);`);
  }
}
