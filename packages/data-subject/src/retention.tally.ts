import { Tally } from 'tillgate/noun';

/** The number of accounts of a program that stay and are named. */
const MAX_NAMED = 100;

/** An account that stays though the time of its program is over. */
export interface LeftAccount {
  readonly accountId: string;
  /**
   * `tax_return_open`: the IRS has not answered a return of it. `changed_meanwhile`, `account_in_use` (locked) and
   * `took_too_long` (ten minutes): the next run tries again.
   */
  readonly reason: string;
}

/** The result of a run in a program. */
export interface ProgramRetention {
  readonly program: string;
  readonly accounts: number;
  /** The numbers of rows that were deleted, by their tables. */
  readonly rows: Readonly<Record<string, number>>;
  readonly customersErased: number;
  readonly left: readonly LeftAccount[];
  /** Including those that are not named. */
  readonly leftCount: number;
}

/** Counts what a run of the retention does. */
export class RetentionTally extends Tally {
  private readonly byProgram = new Map<string, ProgramRetention>();
  rows = 0;
  private stay = 0;

  get failures(): string {
    return this.stay > 0 ? `${this.stay} left` : '';
  }

  /** Each program of which something was over, in the order in which they came. */
  get programs(): readonly ProgramRetention[] {
    return [...this.byProgram.values()];
  }

  ended(program: string, counts: Readonly<Record<string, number>>): void {
    const { accounts, rows } = this.of(program);
    const sums = { ...rows };
    for (const [table, count] of Object.entries(counts)) sums[table] = (sums[table] ?? 0) + count;
    this.set(program, { accounts: accounts + 1, rows: sums });
    this.rows += 1;
  }

  left(program: string, accountId: string, reason: string): void {
    const { left, leftCount } = this.of(program);
    const named = left.length < MAX_NAMED ? [...left, { accountId, reason }] : left;
    this.set(program, { left: named, leftCount: leftCount + 1 });
    this.stay += 1;
  }

  erased(program: string): void {
    this.set(program, { customersErased: this.of(program).customersErased + 1 });
  }

  private of(program: string): ProgramRetention {
    const none = { program, accounts: 0, rows: {}, customersErased: 0, left: [], leftCount: 0 };
    return this.byProgram.get(program) ?? none;
  }

  private set(program: string, changes: Partial<ProgramRetention>): void {
    this.byProgram.set(program, { ...this.of(program), ...changes });
  }
}
