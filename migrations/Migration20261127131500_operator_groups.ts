import { Migration } from '@mikro-orm/migrations';

export class Migration20261127131500_operator_groups extends Migration {
  override name = 'Migration20261127131500_operator_groups';

  override up(): void | Promise<void> {
    this.addSql(`alter table "program" add "operator_groups" json not null default '[]';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "program" drop column "operator_groups";`);
  }
}
