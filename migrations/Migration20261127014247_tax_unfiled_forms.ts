import { Migration } from '@mikro-orm/migrations';

export class Migration20261127014247_tax_unfiled_forms extends Migration {
  override name = 'Migration20261127014247_tax_unfiled_forms';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "tax_unfiled_form" ("program" text not null, "tax_year" int not null, "account_id" text not null, "reason" text not null, primary key ("program", "tax_year", "account_id"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "tax_unfiled_form" cascade;`);
  }
}
