import { Migration } from '@mikro-orm/migrations';

export class Migration20261128140100_same_returns extends Migration {
  override name = 'Migration20261128140100_same_returns';

  override up(): void | Promise<void> {
    this.addSql(`alter table "statement" add "same_return_as" uuid null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "statement" drop column "same_return_as";`);
  }
}
