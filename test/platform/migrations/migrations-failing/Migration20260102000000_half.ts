import { Migration } from '@mikro-orm/migrations';

export class Migration20260102000000_half extends Migration {
  override name = 'Migration20260102000000_half';

  override up(): void {
    this.addSql(`create table "half" ("id" int);`);
    this.addSql(`alter table "no_such_table" drop column "id";`);
  }
}
