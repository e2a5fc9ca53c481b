import { Migration } from '@mikro-orm/migrations';

export class Migration20261121150000_rate_limit extends Migration {
  override name = 'Migration20261121150000_rate_limit';

  override up(): void | Promise<void> {
    // Unlogged: a crash of the server may empty it, which gives every client a new window and spares the log all of
    // these writes.
    this.addSql(
      `create unlogged table "rate_limit" ("key" text not null, "points" int not null, "expire" bigint null, primary key ("key"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "rate_limit" cascade;`);
  }
}
