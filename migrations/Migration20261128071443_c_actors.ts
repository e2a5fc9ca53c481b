import { Migration } from '@mikro-orm/migrations';

export class Migration20261128071443_c_actors extends Migration {
  override name = 'Migration20261128071443_c_actors';

  override up(): void | Promise<void> {
    this.addSql(`alter table "approval" add "actor" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "approval" drop column "actor";`);
  }
}
