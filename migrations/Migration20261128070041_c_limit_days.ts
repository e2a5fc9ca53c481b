import { Migration } from '@mikro-orm/migrations';

export class Migration20261128070041_c_limit_days extends Migration {
  override name = 'Migration20261128070041_c_limit_days';

  override up(): void | Promise<void> {
    this.addSql(`alter table "account" add "limit_day_from" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "account" drop column "limit_day_from";`);
  }
}
