import { Migration } from '@mikro-orm/migrations';

export class Migration20261123040000_key_holders extends Migration {
  override name = 'Migration20261123040000_key_holders';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "key_holder" ("holder_id" uuid not null, "host" text not null, "pid" int not null, "key_ids" text[] not null, "seen_at" timestamptz(3) not null default now(), primary key ("holder_id"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "key_holder" cascade;`);
  }
}
