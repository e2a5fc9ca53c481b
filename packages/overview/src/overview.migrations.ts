import { Migration } from 'tillgate/noun';

/** The figures of programs, and how far the feed is counted: from its beginning, so earlier events are, too. */
export class CreateOverview extends Migration {
  override up(): void {
    this.addSql(
      `create table "overview_day" ("program" text not null, "date" date not null, "currency" text not null, "credits_minor" numeric(38,0) not null, "credit_count" bigint not null, "debits_minor" numeric(38,0) not null, "debit_count" bigint not null, "opened_account_count" bigint not null, primary key ("program", "date", "currency"));`,
    );
    this.addSql(
      `create table "overview_reader" ("id" int not null, "position" bigint not null, "counted_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `create table "overview_total" ("program" text not null, "currency" text not null, "deposits_minor" numeric(38,0) not null, "open_account_count" bigint not null, "inactive_card_count" bigint not null, "active_card_count" bigint not null, "frozen_card_count" bigint not null, primary key ("program", "currency"));`,
    );
    this.addSql(`insert into "overview_reader" ("id", "position") values (1, 0);`);
    // These rows change again and again: there is room for the next version beside each.
    this.addSql(`alter table "overview_reader" set (fillfactor = 50);`);
    this.addSql(`alter table "overview_total" set (fillfactor = 50);`);
    this.addSql(`alter table "overview_day" set (fillfactor = 80);`);
  }
}
