import { Migration } from '@mikro-orm/migrations';

export class Migration20261127014000_statements_without_activity extends Migration {
  override name = 'Migration20261127014000_statements_without_activity';

  override up(): void | Promise<void> {
    this.addSql(`alter table "program" add "statements_without_activity" text not null default 'WITH_BALANCE';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "program" drop column "statements_without_activity";`);
  }
}
