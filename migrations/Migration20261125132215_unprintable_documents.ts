import { Migration } from '@mikro-orm/migrations';

export class Migration20261125132215_unprintable_documents extends Migration {
  override name = 'Migration20261125132215_unprintable_documents';

  override up(): void | Promise<void> {
    this.addSql(`alter table "issue_run" add "unprintable" int not null default 0;`);

    this.addSql(`alter table "issue_run_program" add "unprintable" int not null default 0;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "issue_run" drop column "unprintable";`);

    this.addSql(`alter table "issue_run_program" drop column "unprintable";`);
  }
}
