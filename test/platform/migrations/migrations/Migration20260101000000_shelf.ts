import { Migration } from '@mikro-orm/migrations';

export class Migration20260101000000_shelf extends Migration {
  override name = 'Migration20260101000000_shelf';

  override up(): void {
    this.addSql(
      `create table "shelf" ("shelf_id" text not null, "label" text not null, "filled_at" timestamptz(3) null, primary key ("shelf_id"));`,
    );
  }
}
