import { Migration } from '@mikro-orm/migrations';

export class Migration20261128130100_search_keys extends Migration {
  override name = 'Migration20261128130100_search_keys';

  override up(): void | Promise<void> {
    this.addSql(`alter table "customer" add "bank_number" text null, add "contact_digests" text null;`);
    this.addSql(
      `create index "customer_contact_words" on "customer" using gin ((string_to_array(split_part(contact_digests, ':', 2), ' ')));`,
    );
    this.addSql(
      `create index "customer_bank_number_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(bank_number, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id");`,
    );
    this.addSql(
      `create index "customer_last_first_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(name_last || coalesce(name_first, ''), NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')) text_pattern_ops, "customer_id");`,
    );
    this.addSql(
      `create index "customer_first_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(name_first, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id");`,
    );

    this.addSql(`alter table "program" add "exact_search" boolean not null default false;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "customer_contact_words";`);
    this.addSql(`drop index "customer_bank_number_key";`);
    this.addSql(`drop index "customer_last_first_name_key";`);
    this.addSql(`drop index "customer_first_name_key";`);
    this.addSql(`alter table "customer" drop column "bank_number", drop column "contact_digests";`);

    this.addSql(`alter table "program" drop column "exact_search";`);
  }
}
