import { raw } from '@mikro-orm/core';
import { UnfitDatabase, type Database, type SqlQuery, type StatementSender } from 'tillgate/noun';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { SandboxProgram } from './sandbox.entity.js';

// The function `program_now` of the database is the one place where the clock of a program is read.
const STATES = statementOf(
  `SELECT date_trunc('milliseconds', now()), program_now(k.program), coalesce(s.closed_until, now())
   FROM unnest($1::text[]) WITH ORDINALITY k(program, n) LEFT JOIN sandbox_program s ON s.program = k.program ORDER BY k.n`,
);

/**
 * For a gateway without a sandbox: refuses a database on which it would read a clock that a sandbox moved. Throws
 * `UnfitDatabase`.
 */
export async function refuseMovedClocks(database: Database): Promise<void> {
  // On Citus no session has the setting that tells a sandbox, so a clock that was moved counts for every gateway.
  const isAhead = { [raw('program_now(program)')]: { $gt: raw(`now() + interval '1 second'`) } };
  if ((await database.primary().count(SandboxProgram, { aheadMs: { $gt: 0 }, ...isAhead })) === 0) return;
  throw new UnfitDatabase([
    'SANDBOX is off, and a sandbox has moved clocks of programs in this database, which has one clock for all gateways. Set DATABASE_URL to a database that no sandbox has used.',
  ]);
}

/** The clock of a program as it stands. */
export interface ClockState {
  readonly realNow: Date;
  readonly now: Date;
  /** By the clock: the periods that fell due until then are closed. */
  readonly closedUntil: Date;
}

/** The clocks of programs, which all processes have in common. */
export class SandboxClocks {
  constructor(private readonly database: Database) {}

  /** Returns the present time of a program. */
  async now(program: string): Promise<Date> {
    const [state] = await this.states(this.database, [program]);
    return (state as ClockState).now;
  }

  async states(asking: Pick<StatementSender, 'query'>, programs: readonly string[]): Promise<ClockState[]> {
    const rows = await asking.query<[string, string, string]>(STATES, [programs]);
    return rows.map(([realNow, now, closedUntil]) => ({
      realNow: new Date(realNow),
      now: new Date(now),
      closedUntil: new Date(closedUntil),
    }));
  }

  /** Counts a simulation of a program. Gives its number, from 1, and when it happens. */
  async next(program: string): Promise<{ readonly number: number; readonly now: string }> {
    const { simulations } = await this.database
      .primary()
      .createQueryBuilder(SandboxProgram)
      .insert({ program, simulations: 1, aheadMs: 0, closedUntil: raw('now()') })
      .onConflict('program')
      .merge({ simulations: raw('sandbox_program.simulations + 1') })
      .returning('simulations')
      .execute<Pick<SandboxProgram, 'simulations'>>('get');
    return { number: Number(simulations), now: (await this.now(program)).toISOString() };
  }

  /** Moves the clock of a program to an instant, by which the periods until then are closed. */
  moving(program: string, to: Date, { realNow }: ClockState): SqlQuery {
    const moved = { aheadMs: to.getTime() - realNow.getTime(), closedUntil: to };
    const programs = this.database.em().createQueryBuilder(SandboxProgram);
    return this.database.queryOf(
      programs
        .insert({ program, simulations: 0, ...moved })
        .onConflict('program')
        .merge(moved),
    );
  }
}
