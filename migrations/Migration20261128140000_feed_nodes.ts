import { Migration } from '@mikro-orm/migrations';

export class Migration20261128140000_feed_nodes extends Migration {
  override name = 'Migration20261128140000_feed_nodes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "feed_state" add "nodes_before" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "feed_state" drop column "nodes_before";`);
  }
}
