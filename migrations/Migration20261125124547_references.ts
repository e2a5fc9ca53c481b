import { Migration } from '@mikro-orm/migrations';

/** Of the entries that move the balance and refer to another transaction, so that what they give back is added up. */
const INDEX = `on "transaction" ("account_id", "reference_transaction_id") include ("debit_credit_memo", "amount_minor") where reference_transaction_id is not null and status = 'POSTED' and debit_credit_memo <> 'MEMO'`;

/** Postings go on while the index is made. */
export class Migration20261125124547_references extends Migration {
  override name = 'Migration20261125124547_references';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // What a run that was stopped left of an index cannot be used.
    await this.execute('drop index if exists "transaction_reference"');
    await this.execute(`create index concurrently "transaction_reference" ${INDEX}`);
  }

  override async down(): Promise<void> {
    await this.execute('drop index if exists "transaction_reference"');
  }
}
