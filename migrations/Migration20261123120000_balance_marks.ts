import { Migration } from '@mikro-orm/migrations';

/** A part of a ledger between two marks that has so many entries gets marks in between. */
const MOST_ENTRIES = 128;
const ENTRIES_A_MARK = 64;

const BOOKED = `t.status = 'POSTED' and t.debit_credit_memo <> 'MEMO'`;
const MOVED = `case when not (${BOOKED}) then 0 when t.debit_credit_memo = 'CREDIT' then t.amount_minor else -t.amount_minor end`;

/** Marks of what was posted to accounts before an instant. The next migration makes those of ledgers that are there. */
export class Migration20261123120000_balance_marks extends Migration {
  override name = 'Migration20261123120000_balance_marks';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "balance_mark" ("account_id" text not null, "until" timestamptz(3) not null, "balance_minor" bigint not null, primary key ("account_id", "until"));`,
    );
    this.addSql(
      `alter table "balance_mark" add constraint "balance_mark_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );

    // What is posted late, with a time before the last mark, is in every mark after it. One pass in the order of time
    // sums it up for all of them. A trigger does this for all that write ledgers, the release before this one too.
    this.addSql(`create function move_balance_marks() returns trigger language plpgsql as $$
      begin
        update balance_mark b set balance_minor = b.balance_minor + m.moved
          from (
            with late as materialized (
              select t.account_id, t.posted_timestamp as posted, ${MOVED} as moved
                from (
                  select d.account_id, (select max(b.until) from balance_mark b where b.account_id = d.account_id) as until
                    from (select distinct account_id from added) d
                ) k join added t on t.account_id = k.account_id
                where t.posted_timestamp < k.until and ${BOOKED}
            ), first as (select account_id, min(posted) as posted from late group by account_id)
            select u.account_id, u.at, u.is_late,
              sum(u.moved) over (partition by u.account_id order by u.at, u.is_late rows unbounded preceding)::int8 as moved
              from (select account_id, posted, true, moved from late
                union all select b.account_id, b.until, false, 0 from first f
                  join balance_mark b on b.account_id = f.account_id and b.until > f.posted) u(account_id, at, is_late, moved)
          ) m
          where b.account_id = m.account_id and b.until = m.at and not m.is_late and m.moved <> 0;
        return null;
      end
    $$;`);
    this.addSql(
      `create trigger balance_marks after insert on "transaction" referencing new table as added for each statement execute function move_balance_marks();`,
    );

    // Adds the marks that are missing around the entries of accounts behind given numbers. Those behind the last mark
    // are all in one part of the ledger; each of the others is looked up. Entries of one instant are never parted.
    // A planner that does not know yet how large a growing ledger is would read all of it, so only indexes are used.
    this.addSql(`create function mark_balances(account_ids text[], seqs int8[]) returns void language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
      begin
        perform from account a where a.account_id = any(account_ids) order by a.account_id for no key update;
        with point as materialized (
          select distinct k.account_id, case when t.posted_timestamp < k.until then t.posted_timestamp else 'infinity' end as at
            from (
              select u.account_id, u.seq, (select max(b.until) from balance_mark b where b.account_id = u.account_id) as until
                from unnest(account_ids, seqs) u(account_id, seq)
            ) k join "transaction" t on t.account_id = k.account_id and t.seq > k.seq
            where t.posted_timestamp is not null
        ), part as materialized (
          select distinct p.account_id, lo.until as since, hi.until, coalesce(lo.balance_minor, 0) as balance
            from point p
            left join lateral (select b.until, b.balance_minor from balance_mark b
              where b.account_id = p.account_id and b.until <= p.at order by b.until desc limit 1) lo on true
            left join lateral (select b.until from balance_mark b
              where b.account_id = p.account_id and b.until > p.at order by b.until limit 1) hi on true
        ), instant as (
          select p.account_id, p.since, p.balance, e.at, e.entries, e.moved
            from part p cross join lateral (
              select t.posted_timestamp as at, count(*) as entries, sum(${MOVED})::int8 as moved from "transaction" t
              where t.account_id = p.account_id and t.posted_timestamp >= coalesce(p.since, '-infinity')
                and t.posted_timestamp < coalesce(p.until, 'infinity') group by t.posted_timestamp) e
        ), counted as (
          select i.account_id, i.at, i.balance + (sum(i.moved) over w)::int8 - i.moved as balance,
            (sum(i.entries) over w)::int8 - i.entries as before, lag(i.entries, 1, 0::int8) over w as last,
            (sum(i.entries) over (partition by i.account_id, i.since))::int8 as entries
            from instant i window w as (partition by i.account_id, i.since order by i.at)
        )
        insert into balance_mark (account_id, until, balance_minor) select c.account_id, c.at, c.balance from counted c
          where c.entries >= ${MOST_ENTRIES} and c.before / ${ENTRIES_A_MARK} > (c.before - c.last) / ${ENTRIES_A_MARK};
      end
    $$;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop function mark_balances(text[], int8[]);`);
    this.addSql(`drop trigger balance_marks on "transaction";`);
    this.addSql(`drop function move_balance_marks();`);
    this.addSql(`drop table "balance_mark";`);
  }
}
