import { Migration } from '@mikro-orm/migrations';

export class Migration20261126215203_tax_payees extends Migration {
  override name = 'Migration20261126215203_tax_payees';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "customer" add "tax_status" text null, add "tax_status_on" date null, add "second_tin_notice_on" date null, add "electronic_tax_forms_on" date null, add "tax_id_digest" bytea null;`,
    );
    this.addSql(
      `create index "customer_tax_status" on "customer" ("program", "tax_status", "customer_id") where tax_status is not null;`,
    );
    this.addSql(
      `create index "customer_tax_id_digest_missing" on "customer" ("program", "customer_id") where tax_id is not null and tax_id_digest is null;`,
    );
    this.addSql(`create index "customer_tax_id_digest" on "customer" ("program", "tax_id_digest");`);

    this.addSql(
      `create index "former_owner_customer_id_account_id_index" on "former_owner" ("customer_id", "account_id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "customer_tax_status";`);
    this.addSql(`drop index "customer_tax_id_digest_missing";`);
    this.addSql(`drop index "customer_tax_id_digest";`);
    this.addSql(
      `alter table "customer" drop column "tax_status", drop column "tax_status_on", drop column "second_tin_notice_on", drop column "electronic_tax_forms_on", drop column "tax_id_digest";`,
    );

    this.addSql(`drop index "former_owner_customer_id_account_id_index";`);
  }
}
