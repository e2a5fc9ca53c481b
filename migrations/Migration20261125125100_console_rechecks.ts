import { Migration } from '@mikro-orm/migrations';

export class Migration20261125125100_console_rechecks extends Migration {
  override name = 'Migration20261125125100_console_rechecks';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "console_session" add "asked_at" timestamptz(3) not null default now(), add "confirmed_at" timestamptz(3) not null default now();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "console_session" drop column "asked_at", drop column "confirmed_at";`);
  }
}
