import { Migration } from 'tillgate/noun';

/** The clocks of programs, and the present by them. */
export class CreateSandbox extends Migration {
  override up(): void {
    this.addSql(
      `create table "sandbox_program" ("program" text not null, "ahead_ms" bigint not null default 0, "simulations" bigint not null default 0, "closed_until" timestamptz(3) not null default now(), primary key ("program"));`,
    );
    this.addSql(`alter table "sandbox_program" add constraint "sandbox_program_ahead" check (ahead_ms >= 0);`);
    // Only connections of a gateway whose sandbox is on read the clock. In production the table is never read.
    this.addSql(`create or replace function program_now(program text) returns timestamptz language sql stable as $$
      select date_trunc('milliseconds', now()) + case when current_setting('tillgate.sandbox', true) = 'on'
        then coalesce((select s.ahead_ms from sandbox_program s where s.program = program_now.program), 0)
        else 0 end * interval '1 millisecond'
    $$;`);
  }
}

/** `program_now` where Citus distributes the tables. */
export const PROGRAM_NOW_ON_CITUS = `create or replace function program_now(program text) returns timestamptz language plpgsql stable
  set citus.allow_nested_distributed_execution = on as $$
  begin
    return date_trunc('milliseconds', now())
      + coalesce((select s.ahead_ms from sandbox_program s where s.program = program_now.program), 0) * interval '1 millisecond';
  end
$$`;
