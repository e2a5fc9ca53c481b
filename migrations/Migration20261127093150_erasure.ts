import { Migration } from '@mikro-orm/migrations';

export class Migration20261127093150_erasure extends Migration {
  override name = 'Migration20261127093150_erasure';

  override up(): void | Promise<void> {
    this.addSql(`create index "card_card_holder_id_index" on "card" ("card_holder_id");`);

    this.addSql(`alter table "customer" add "erased_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "card_card_holder_id_index";`);

    this.addSql(`alter table "customer" drop column "erased_at";`);
  }
}
