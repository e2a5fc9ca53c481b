import { chaining, locking } from '../platform/command/program-chain.js';
import type { Database } from '../platform/database/orm.js';
import { inTwoRoundTrips } from '../platform/database/transaction.js';
import { columnsOf } from '../platform/repository/by-ordinal.js';
import type { Tally, TallyOrder, Used } from '../platform/workers/limits.js';
import type { Together } from '../platform/workers/together.js';

const DENY = {
  name: 'attempts_deny',
  text: chaining({
    table: 'denied_attempt',
    hash: 'denied_attempt_hash',
    columns: {
      ...{ age_ms: 'float8', program: 'text', client_id: 'text', subject: 'text', request_id: 'text', action: 'text' },
      ...{ account_id: 'text', object: 'text' },
    },
    accountId: 'n.account_id',
    occurredAt: `now() - k.age_ms * interval '1 millisecond'`,
  }),
};
/** Whoever adds to a program's denied attempts takes this lock, whose number is `'even'`. No command waits for it. */
const LOCK_DENIED = { name: 'attempts_lock_chains', text: locking("x'6576656e'::int") };

/** So many denied attempts of one subject are recorded in a minute, since endless attempts must not fill the disk. */
export const MAX_DENIED_A_MINUTE = 100;
const BY_SUBJECT: TallyOrder = { windowMs: 60_000, maxKeys: 10_000 };

export interface DeniedAttempt {
  readonly callersProgram: string;
  readonly clientId: string;
  readonly subject: string;
  readonly requestId: string;
  readonly action: string;
  /** The program that keeps the record: the account's, or the caller's if there is no account. */
  readonly program: string;
  readonly accountId: string | null;
  /** The code of the refusal. */
  readonly code: string;
  /** By the clock of `performance.now()`. */
  readonly deniedAtMs: number;
}

/** The record of what callers were denied. */
export class DeniedAttemptService {
  /** The attempts of subjects in their present minutes. */
  private readonly denied: Tally;

  constructor(
    private readonly database: Database,
    together: Together,
  ) {
    this.denied = together.tally('denied attempts', BY_SUBJECT);
  }

  /**
   * Records what callers were not allowed to do. The last attempt of a subject that is recorded in a minute says that
   * more may follow.
   */
  async record(attempts: readonly DeniedAttempt[]): Promise<void> {
    const subjects = new Map<string, number>();
    for (const attempt of attempts) subjects.set(subjectOf(attempt), (subjects.get(subjectOf(attempt)) ?? 0) + 1);
    const used = await Promise.all([...subjects].map(([subject, uses]) => this.denied.add(subject, uses)));
    // How many attempts of each subject came before the next one of it.
    const counts = new Map([...subjects].map(([subject, uses], n) => [subject, (used[n] as Used).count - uses]));
    const rows: unknown[][] = [];
    for (const attempt of attempts) {
      const { callersProgram, clientId, subject, requestId, action, program, accountId, code } = attempt;
      const count = (counts.get(subjectOf(attempt)) ?? 0) + 1;
      counts.set(subjectOf(attempt), count);
      if (count > MAX_DENIED_A_MINUTE) continue;
      const data = {
        code,
        // An operator of another program learns which one the attempt came from; the log has its requests.
        ...(program === callersProgram ? {} : { program: callersProgram }),
        ...(count === MAX_DENIED_A_MINUTE ? { furtherRecorded: false } : {}),
      };
      const ageMs = performance.now() - attempt.deniedAtMs;
      rows.push([ageMs, program, clientId, subject, requestId, action, accountId, null, JSON.stringify(data)]);
    }
    if (rows.length === 0) return;
    try {
      await inTwoRoundTrips(
        this.database,
        transaction => transaction.query(LOCK_DENIED, [[...new Set(rows.map(([, program]) => program))]]),
        () => [{ statement: DENY, values: columnsOf(rows) }],
      );
    } catch (error) {
      // A batch that failed is recorded again.
      await Promise.all([...subjects].map(([subject, uses]) => this.denied.add(subject, -uses)));
      throw error;
    }
  }
}

function subjectOf({ callersProgram, clientId, subject }: DeniedAttempt): string {
  return JSON.stringify([callersProgram, clientId, subject]);
}
