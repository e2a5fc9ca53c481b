import { Migration } from '@mikro-orm/migrations';

export class Migration20261125124942_statement_zones extends Migration {
  override name = 'Migration20261125124942_statement_zones';

  override up(): void | Promise<void> {
    this.addSql(`alter table "statement" add "time_zone" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "statement" drop column "time_zone";`);
  }
}
