import { Migration } from '@mikro-orm/migrations';

/** Replaces a function that Citus has in another form, and adds one. */
export class Migration29990101000000_feed extends Migration {
  override name = 'Migration29990101000000_feed';

  override up(): void {
    this.addSql(`drop function feed_advance(int)`);
    this
      .addSql(`create function feed_advance(most int, out last_position bigint, out more boolean, out missing int, out lag_seconds float8)
      language sql as $$ select 0::bigint, false, 0, 0::float8 $$`);
    this.addSql(`create function added_later() returns int language sql as $$ select 1 $$`);
  }
}
