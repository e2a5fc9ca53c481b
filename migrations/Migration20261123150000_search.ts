import { Migration } from '@mikro-orm/migrations';

/** Indexes for the search of operators: every look-up is an exact match. */
export class Migration20261123150000_search extends Migration {
  override name = 'Migration20261123150000_search';

  override up(): void | Promise<void> {
    this.addSql(`create index "card_last4_account_id_card_id_index" on "card" ("last4", "account_id", "card_id");`);

    this.addSql(`create index "customer_tax_id" on "customer" ("program", ("right"(tax_id, 4)), "customer_id");`);
    this.addSql(
      `create index "customer_full_name" on "customer" ("program", (lower(normalize(btrim(regexp_replace(name_first || ' ' || name_last, '\\s+', ' ', 'g')), NFC))), "customer_id");`,
    );
    this.addSql(
      `create index "customer_last_name" on "customer" ("program", (lower(normalize(btrim(regexp_replace(name_last, '\\s+', ' ', 'g')), NFC))), "customer_id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "card_last4_account_id_card_id_index";`);

    this.addSql(`drop index "customer_tax_id";`);
    this.addSql(`drop index "customer_full_name";`);
    this.addSql(`drop index "customer_last_name";`);
  }
}
