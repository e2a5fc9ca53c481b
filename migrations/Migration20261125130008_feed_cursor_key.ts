import { Migration } from '@mikro-orm/migrations';

export class Migration20261125130008_feed_cursor_key extends Migration {
  override name = 'Migration20261125130008_feed_cursor_key';

  override up(): void | Promise<void> {
    // The one row gets a random key.
    this.addSql(`alter table "feed_state" add "cursor_key" bytea not null default uuid_send(gen_random_uuid());`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "feed_state" drop column "cursor_key";`);
  }
}
