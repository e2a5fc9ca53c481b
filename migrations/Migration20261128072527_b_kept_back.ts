import { Migration } from '@mikro-orm/migrations';

export class Migration20261128072527_b_kept_back extends Migration {
  override name = 'Migration20261128072527_b_kept_back';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "approval" add "customer_id" uuid null, add "kept_back_minor" bigint not null default '0';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "approval" drop column "customer_id", drop column "kept_back_minor";`);
  }
}
