import type { Caller } from '../../shared/caller.js';
import { Refusal, Unavailable } from '../../shared/errors.js';
import type { Plain } from '../../shared/json.js';
import type { DeclaredOperation } from '../../shared/operation.js';
import type { Database } from '../database/orm.js';
import type { StatementSender } from '../database/transaction.js';
import { oneByOrdinal, type WithOrdinal } from '../repository/by-ordinal.js';
import type { ApprovalGate } from './approval.js';
import { CommandRunner } from './command-runner.js';
import type { LockTarget, SubjectLocker, Work } from './command.js';
import type { CommandWatch } from './counted.js';
import { allowing, type Denial } from './denial.js';
import type { IdempotencyRecords } from './idempotency-record.js';

/** A command about the caller's program. Its event is named after it. */
export interface ProgramCommand<Input, Result> {
  /**
   * Throws what `CommandRunner.kind` says. What its caller may not do is put on record. A dry run decides, and writes
   * nothing.
   */
  (caller: Caller, input: Input, dryRun?: boolean): Promise<Result>;
  /** Throws `InsufficientScope` or `ProgramWideOnly`, and puts the attempt on record, unless the caller may give it. */
  readonly allow: (caller: Caller) => void;
}

// The lock that `recording` takes for a program's chain. Programs are locked in the order of their names.
const LOCKS = `FROM (SELECT * FROM unnest($1::text[]) WITH ORDINALITY k(program, n) ORDER BY program OFFSET 0) k`;
const KEY = `x'70726f67'::int, hashtext(k.program)`;
const LOCK = {
  name: 'programs_lock_waiting',
  text: `SELECT true, pg_advisory_xact_lock(${KEY})::text, k.n::int ${LOCKS}`,
};
const TRY_LOCK = { name: 'programs_lock_free', text: `SELECT pg_try_advisory_xact_lock(${KEY}), k.n::int ${LOCKS}` };

/**
 * Commands that are about a program and not about an account, such as those on webhook endpoints. Those of one program
 * go one after another, so what one reads of the program is true until it commits.
 */
export class ProgramCommands {
  private readonly runner: CommandRunner<string>;

  constructor(
    database: Database,
    records: IdempotencyRecords,
    private readonly deny: (denial: Denial) => void,
    watch: CommandWatch,
    approvals: ApprovalGate,
  ) {
    this.runner = new CommandRunner(database, records, PROGRAMS, watch, approvals);
  }

  /** A kind of command, whose events have the name of its operation, such as `webhook_endpoint.create`: see `Work`. */
  command<Input, Fact, Result, Draft>(
    operation: DeclaredOperation,
    work: Work<Input, string, Fact, Plain<Result>, Draft>,
  ): ProgramCommand<Input, Result> {
    const run = this.runner.kind<Input, Fact, Result, Draft>(operation, work);
    const deny = allowing(operation, this.deny);
    const allow = (caller: Caller): void => deny(caller, null);
    const command = async (caller: Caller, input: Input, dryRun?: boolean): Promise<Result> => {
      allow(caller);
      try {
        return await run(caller, '', input, dryRun);
      } catch (error) {
        if (error instanceof Refusal && error.code === 'account_not_found') {
          const { code } = error;
          for (const accountId of work.names?.(input) ?? []) {
            this.deny({ caller, action: operation.name, accountId, code });
          }
        }
        throw error;
      }
    };
    return Object.assign(command, { allow });
  }
}

/** Locks programs, for commands about programs. */
export const PROGRAMS: SubjectLocker<string> = {
  lock,
  // The operation has decided whether a customer may give a command about the program.
  owns: async () => true,
  notFound: () => new Unavailable('Another change of this program is still running. Try again in a moment.'),
};

/** For kinds of commands that lock rows of their own, as there may be none yet. */
export const UNLOCKED: SubjectLocker<string> = { ...PROGRAMS, lock: async (_, targets) => targets.map(programOf) };

/**
 * For kinds of commands that lock rows of their own and whose events are in the chains of programs. The chain is locked
 * before the rows, as commands about programs do, so that nobody waits in a circle. A dry run has no events: it locks
 * the rows alone, so that a long one does not keep the whole program waiting.
 */
export const PROGRAM_CHAINS: SubjectLocker<string> = {
  ...PROGRAMS,
  lock: (transaction, targets, waits) => (transaction.isDryRun ? UNLOCKED : PROGRAMS).lock(transaction, targets, waits),
};

function programOf({ caller }: LockTarget): string {
  return caller.program;
}

/** Gives the program where its lock was free or was waited for. */
async function lock(
  transaction: StatementSender,
  targets: readonly LockTarget[],
  waits: boolean,
): Promise<(string | null)[]> {
  const programs = targets.map(programOf);
  const rows = await transaction.query<WithOrdinal<[isLocked: boolean, ...rest: string[]]>>(waits ? LOCK : TRY_LOCK, [
    programs,
  ]);
  const locked = oneByOrdinal(rows, targets.length, ([isLocked]) => isLocked);
  return programs.map((program, index) => (locked[index] ? program : null));
}
