import { Migration } from 'tillgate/noun';

/** Makes the function that ends accounts whose retention is over. */
export class CreateRetention extends Migration {
  override up(): void {
    this.addSql(`create function account_end_refusal(of_account text) returns text language plpgsql stable
      set timezone = 'UTC' as $$
      declare
        a record;
      begin
        select s.account_id, s.program, s.status, s.closed_at, s.opened_on, p.retention_years into a
          from account s left join program p on p.program_id = s.program where s.account_id = of_account;
        if a.account_id is null then return 'account_not_found'; end if;
        if a.status <> 'CLOSED' or a.closed_at is null then return 'account_not_closed'; end if;
        if a.retention_years is null then return 'no_retention'; end if;
        if a.closed_at > now() - make_interval(years => a.retention_years) then return 'retention_runs'; end if;
        if to_regclass('tax_filing_form') is not null then
          if exists (select from tax_filing_form f join tax_filing o on o.filing_id = f.filing_id and not o.is_test where f.program = a.program and f.account_id = a.account_id
            and f.tax_year in (select generate_series(extract(year from a.opened_on)::int - 1, extract(year from now())::int))
            and f.state in ('DRAFT', 'EXPORTED', 'SENT')) then return 'tax_return_open'; end if;
        end if;
        return null;
      end
    $$;`);
    this.addSql(`create function end_account(of_account text) returns jsonb language plpgsql security definer
      set timezone = 'UTC' as $$
      declare
        a account;
        refusal text;
        of_table text;
        deleted bigint;
        people uuid[];
        counts jsonb := '{}';
      begin
        if to_regclass('pg_catalog.pg_dist_partition') is not null then
          raise exception 'end_account does not run on Citus: its rows are on other servers' using errcode = 'feature_not_supported';
        end if;
        select * into a from account where account_id = of_account for update;
        if not found then return null; end if;
        refusal := account_end_refusal(of_account);
        if refusal is not null then
          raise exception 'account % is not ended: %', of_account, refusal using errcode = 'object_not_in_prerequisite_state';
        end if;
        perform set_config('tillgate.ending_account', of_account, true);

        people := array(
          select customer_id from account_owner where account_id = of_account
          union select customer_id from former_owner where account_id = of_account
          union select card_holder_id::uuid from card where account_id = of_account and card_holder_id ~ '^[0-9a-fA-F-]{36}$');

        -- The other account keeps its own record of a transfer, and the id finds it there.
        update transfer_key k set from_account_id = o.account_id from transfer t join transfer o
            on o.transfer_id = t.transfer_id and o.program = t.program
            and o.account_id = case t.account_id when t.from_account_id then t.to_account_id else t.from_account_id end
          where t.account_id = of_account and k.program = t.program and k.transfer_id = t.transfer_id and k.from_account_id = of_account;
        delete from transfer_key k using transfer t
          where t.account_id = of_account and k.program = t.program and k.transfer_id = t.transfer_id and k.from_account_id = of_account;
        get diagnostics deleted = row_count;
        counts := counts || jsonb_build_object('transfer_key', deleted);

        delete from note where program = a.program and account_id = of_account;
        get diagnostics deleted = row_count;
        counts := counts || jsonb_build_object('note', deleted);
        delete from approval where account_id = of_account;
        get diagnostics deleted = row_count;
        counts := counts || jsonb_build_object('approval', deleted);
        delete from issue_left_out l using issue_run_program r
          where r.program = a.program and l.run_id = r.run_id and l.program = r.program and l.account_id = of_account;
        get diagnostics deleted = row_count;
        counts := counts || jsonb_build_object('issue_left_out', deleted);
        -- A database without the package for tax forms has no such tables.
        foreach of_table in array array['tax_filing_form', 'tax_unfiled_form'] loop
          if to_regclass(of_table) is null then continue; end if;
          execute format('delete from %I where program = $1 and account_id = $2 and tax_year between $3 and $4', of_table)
            using a.program, of_account, extract(year from a.opened_on)::int - 1, extract(year from now())::int;
          get diagnostics deleted = row_count;
          counts := counts || jsonb_build_object(of_table, deleted);
        end loop;

        foreach of_table in array array['account_event', 'transaction', 'statement', 'hold', 'card', 'beneficiary', 'transfer', 'account_limit', 'balance_mark', 'account_owner', 'former_owner', 'feed', 'account'] loop
          execute format('delete from %I where account_id = $1', of_table) using of_account;
          get diagnostics deleted = row_count;
          counts := counts || jsonb_build_object(of_table, deleted);
        end loop;
        perform set_config('tillgate.ending_account', '', true);

        -- Who is known by nothing else is erased later, by a command of its own. Commands lock the program ('prog')
        -- before its customers.
        perform pg_advisory_xact_lock(x'70726f67'::int, hashtext(a.program));
        update customer c set account_ended_at = now() from (
          select customer_id from customer where customer_id = any(people) order by customer_id for no key update) k
          where c.customer_id = k.customer_id;
        return (select jsonb_object_agg(c.key, c.value) from jsonb_each(counts) c where c.value <> '0');
      end
    $$;`);
    // Nobody can put other tables in their places.
    this.addSql(`do $$ begin
      execute format('alter function account_end_refusal(text) set search_path = %I, pg_temp', current_schema());
      execute format('alter function end_account(text) set search_path = %I, pg_temp', current_schema());
    end $$;`);
    this.addSql(`revoke execute on function end_account(text) from public;`);
  }
}
