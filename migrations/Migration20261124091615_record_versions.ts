import { Migration } from '@mikro-orm/migrations';

/** A column that every change of a record sets, and nothing else: not a posting, nor keys that are rotated. */
const CHANGED = {
  account: 'status, account_type',
  beneficiary: 'share_percentage',
  card: 'status',
  customer: 'name_last',
} as const;

/**
 * Counts the changes of records. The database counts, so that a process of the release before this one, which does not
 * know of it, counts as well.
 */
export class Migration20261124091615_record_versions extends Migration {
  override name = 'Migration20261124091615_record_versions';

  override up(): void | Promise<void> {
    this.addSql(`create function count_version() returns trigger language plpgsql as $$
      begin
        new.version := old.version + 1;
        return new;
      end
    $$;`);
    for (const [table, columns] of Object.entries(CHANGED)) {
      this.addSql(`alter table "${table}" add "version" int not null default 1;`);
      this.addSql(
        `create trigger count_version before update of ${columns} on "${table}" for each row execute function count_version();`,
      );
    }
  }

  override down(): void | Promise<void> {
    for (const table of Object.keys(CHANGED)) {
      this.addSql(`drop trigger count_version on "${table}";`);
      this.addSql(`alter table "${table}" drop column "version";`);
    }
    this.addSql(`drop function count_version();`);
  }
}
