import { Migration } from '@mikro-orm/migrations';

export class Migration20261128072450_customers_without_tax_id extends Migration {
  override name = 'Migration20261128072450_customers_without_tax_id';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "customer_without_tax_id" on "customer" ("program", "customer_id") where (tax_id is null or tax_id_country <> 'US');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "customer_without_tax_id";`);
  }
}
