import { Migration } from 'tillgate/noun';

/** Makes the table of requests, and the function that makes and drops the parts of its days. */
export class CreateRequests extends Migration {
  override up(): void {
    this.addSql(
      `create table "api_request" ("program" text not null, "answered_at" timestamptz(3) not null, "entry_id" uuid not null, "duration_ms" int not null, "request_id" text not null, "client_id" text not null, "subject" text not null, "customer_id" text null, "actor" text null, "api" text not null, "method" text not null, "operation" text null, "root_fields" jsonb not null, "http_status" int not null, "code" text null, "stored_problems" jsonb null, "has_several_problems" boolean not null, "request_bytes" int null, "answer_bytes" int null, "is_replay" boolean not null, "is_aborted" boolean not null, "key_digest" text null, "user_agent" text null, "client_address" text null, primary key ("program", "answered_at", "entry_id")) partition by range ("answered_at");`,
    );
    this.addSql(
      `create index "api_request_program_client_id_answered_at_entry_id_index" on "api_request" ("program", "client_id", "answered_at", "entry_id");`,
    );
    this.addSql(`create index api_request_id on api_request using hash (request_id);`);
    this.addSql(
      `create index api_request_refused on api_request (program, client_id, code, answered_at, entry_id) where code is not null;`,
    );
    this.addSql(
      `create index api_request_code on api_request (program, code, answered_at, entry_id) where code is not null;`,
    );
    this.addSql(
      `create index api_request_refused_often on api_request (program, answered_at, entry_id) where has_several_problems;`,
    );
    this.addSql(
      `create index api_request_customer on api_request using hash (customer_id) where customer_id is not null;`,
    );
    this.addSql(`create index api_request_key on api_request using hash (key_digest) where key_digest is not null;`);
    // A gateway need not own its tables. A part is attached, since a table that is created as one locks out readers.
    this.addSql(`create function api_request_days(kept int) returns int language plpgsql security definer
      set timezone = 'UTC' as $$
      declare
        first_day date;
        part text;
        dropped int := 0;
      begin
        perform pg_advisory_xact_lock(x'72657175'::int, 0);
        for first_day in select generate_series(current_date - 1, current_date + 2, interval '1 day')::date loop
          part := 'api_request_' || to_char(first_day, 'YYYYMMDD');
          if to_regclass(part) is null then
            execute format('create table %I (like api_request including all)', part);
            execute format('alter table api_request attach partition %I for values from (%L) to (%L)',
              part, first_day::timestamptz, (first_day + 1)::timestamptz);
          end if;
        end loop;
        for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'api_request'::regclass
              and c.relname < 'api_request_' || to_char(current_date - kept, 'YYYYMMDD') loop
          execute format('drop table %I', part);
          dropped := dropped + 1;
        end loop;
        return dropped;
      end
    $$;`);
    // Nobody can put other tables in their places.
    this.addSql(`do $$ begin
      execute format('alter function api_request_days(int) set search_path = %I, pg_temp', current_schema());
    end $$;`);
    this.addSql(`revoke execute on function api_request_days(int) from public;`);
  }
}
