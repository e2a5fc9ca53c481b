import type { DeniedAttempt, DeniedAttemptService } from '../event/denied-attempt.service.js';
import { Backlog } from '../../lib/collections/backlog.js';
import type { Denial } from '../platform/command/denial.js';
import type { Database } from '../platform/database/orm.js';
import { refusalOf } from '../platform/database/retry.js';
import { BANK_ID } from '../shared/ids.js';

const PROGRAMS_OF = {
  name: 'account_programs',
  text: 'SELECT account_id, program FROM account WHERE account_id = ANY($1::text[])',
};

/** Some megabytes. A database that is away for a minute finds all attempts of an ordinary minute again. */
const MAX_WAITING = 10_000;
const BATCH = 500;
/**
 * Longer than an answer takes, so that what is recorded for one attempt and not for another does not show in any
 * answer's time.
 */
const GATHER_MS = 100;
const RETRY_MS = 1000;
const CLOSE_MS = 5000;

type Waiting = Omit<DeniedAttempt, 'program'> & { readonly callersProgram: string };

/**
 * Puts on record what callers were denied, after they have their answer: what was looked up and written before it would
 * tell by its time whether the account exists.
 */
export class AccountDenials {
  private readonly backlog: Backlog<Waiting>;

  /** `lost` is told how many could not be recorded, and why. */
  constructor(
    private readonly database: Database,
    private readonly denied: DeniedAttemptService,
    lost: (count: number, reason: unknown) => void,
  ) {
    this.backlog = new Backlog({
      ...{ most: MAX_WAITING, batch: BATCH, gatherMs: GATHER_MS, retryMs: RETRY_MS, lost },
      work: attempts => this.record(attempts),
      passes: error => refusalOf(error)?.kind === 'unavailable',
    });
  }

  add({ caller, action, accountId, code }: Denial): void {
    const { program: callersProgram, clientId, subject, requestId } = caller;
    const named = accountId !== null && BANK_ID.test(accountId) ? accountId : null;
    const deniedAtMs = performance.now();
    this.backlog.add({ callersProgram, clientId, subject, requestId, action, accountId: named, code, deniedAtMs });
  }

  /** Resolves when all that was denied so far is on record. */
  settled(): Promise<void> {
    return this.backlog.settled();
  }

  /** Records what waits, as long as that takes no more than some seconds. */
  close(): Promise<void> {
    return this.backlog.close(CLOSE_MS);
  }

  /**
   * The record goes to the account's program, whose account it was that somebody reached for. Where there is no such
   * account nothing was denied, except to a caller without the right; and another program's account is none to that
   * caller's own operators.
   */
  private async record(waiting: readonly Waiting[]): Promise<void> {
    const accountIds = waiting.flatMap(({ accountId }) => accountId ?? []);
    const rows = await this.database.query<[accountId: string, program: string]>(PROGRAMS_OF, [accountIds]);
    const programOf = new Map(rows);
    await this.denied.record(
      waiting.flatMap(attempt => {
        const { accountId, code, callersProgram } = attempt;
        const owning = accountId === null ? undefined : programOf.get(accountId);
        const program = code === 'account_not_found' ? owning : callersProgram;
        return program === undefined ? [] : [{ ...attempt, program, accountId: owning === program ? accountId : null }];
      }),
    );
  }
}
