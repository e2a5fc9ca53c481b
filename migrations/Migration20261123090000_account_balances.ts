import { Migration } from '@mikro-orm/migrations';

export class Migration20261123090000_account_balances extends Migration {
  override name = 'Migration20261123090000_account_balances';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "account" add "held_minor" bigint not null default 0, add "overdraft_limit_minor" bigint not null default 0;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "account" drop column "held_minor", drop column "overdraft_limit_minor";`);
  }
}
