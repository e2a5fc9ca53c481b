import { Migration } from '@mikro-orm/migrations';

/** Notes the timeout under which it runs. */
export class Migration20260102000000_slow extends Migration {
  override name = 'Migration20260102000000_slow';

  override up(): void {
    this.addSql(`create table "noted" as select current_setting('statement_timeout') as "statement_timeout";`);
  }
}
