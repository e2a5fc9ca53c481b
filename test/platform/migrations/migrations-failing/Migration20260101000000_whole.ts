import { Migration } from '@mikro-orm/migrations';

export class Migration20260101000000_whole extends Migration {
  override name = 'Migration20260101000000_whole';

  override up(): void {
    this.addSql(`create table "whole" ("id" int);`);
  }
}
