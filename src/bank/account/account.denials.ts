import { Backlog } from '../../../lib/collections/backlog.js';
import type { Denial } from '../../platform/command/denial.js';
import { actorOf, recordingDenied, type Actor, type NewDenial } from '../../platform/command/recording.js';
import type { Database } from '../../platform/database/orm.js';
import { refusalOf } from '../../platform/database/retry.js';
import { inTwoRoundTrips } from '../../platform/database/transaction.js';
import type { Tally, TallyOrder, WindowUsage } from '../../platform/workers/limits.js';
import type { ProcessGroup } from '../../platform/workers/process-group.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import { Account, AccountOwner } from './account.entity.js';

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

/**
 * The number of denied attempts of one subject that are recorded in a minute in one program, since endless attempts
 * must not fill the disk. Each program has a count of its own, so that attempts elsewhere hide none from it.
 */
export const MAX_DENIED_A_MINUTE = 100;
const BY_PROGRAM_AND_SUBJECT: TallyOrder = { windowMs: 60_000, maxKeys: 10_000 };

interface PendingDenial extends Omit<Denial, 'caller'> {
  readonly by: Actor & Pick<Caller, 'customerId'>;
  /** By the clock of `performance.now()`. */
  readonly deniedAtMs: number;
}

/**
 * Puts on record what callers were denied, after they have their answer: what was looked up and written before it would
 * tell by its time whether the account exists.
 */
export class AccountDenials {
  private readonly backlog: Backlog<PendingDenial>;
  /** The attempts of subjects in each program that keeps the record, in their present minutes. */
  private readonly tally: Tally;

  /** `lost` is told how many could not be recorded, and why. */
  constructor(
    private readonly database: Database,
    together: ProcessGroup,
    lost: (count: number, reason: unknown) => void,
  ) {
    this.tally = together.tally('denied attempts', BY_PROGRAM_AND_SUBJECT);
    this.backlog = new Backlog({
      most: MAX_WAITING,
      batch: BATCH,
      gatherMs: GATHER_MS,
      retryMs: RETRY_MS,
      lost,
      work: attempts => this.record(attempts),
      passes: error => refusalOf(error)?.kind === 'unavailable',
    });
  }

  add({ caller, action, accountId, code, program: ofRecord }: Denial): void {
    const named = accountId !== null && BANK_ID.test(accountId) ? accountId : null;
    this.backlog.add({
      by: { ...actorOf(caller), customerId: caller.customerId },
      action,
      accountId: named,
      code,
      deniedAtMs: performance.now(),
      ...(ofRecord !== undefined && { program: ofRecord }),
    });
  }

  /** Resolves when all that was denied so far is on record. */
  settled(): Promise<void> {
    return this.backlog.settled();
  }

  /** Records what waits, as long as that takes no more than some seconds. */
  close(): Promise<void> {
    return this.backlog.close(CLOSE_MS);
  }

  /** Which customers own which of the accounts that they named. */
  private async ownedOf(waiting: readonly PendingDenial[]): Promise<ReadonlySet<string>> {
    const named = waiting.filter(({ accountId, by }) => accountId !== null && by.customerId !== null);
    if (named.length === 0) return new Set();
    const accountId = { $in: named.map(attempt => attempt.accountId as string) };
    const customerId = { $in: named.map(({ by }) => by.customerId as string) };
    const fields = ['accountId', 'customerId'] as const;
    const owners = await this.database.primary().find(AccountOwner, { accountId, customerId }, { fields });
    return new Set(owners.map(owner => `${owner.accountId} ${owner.customerId}`));
  }

  /**
   * The record goes to the account's program, whose account it was that somebody reached for. Where there is no such
   * account nothing was denied, except to a caller without the right; and another program's account is none to that
   * caller's own operators. The last attempt of a subject that a program records in a minute says that more may follow.
   */
  private async record(waiting: readonly PendingDenial[]): Promise<void> {
    const accountIds = waiting.flatMap(({ accountId }) => accountId ?? []);
    const which = { accountId: { $in: accountIds } };
    const named =
      accountIds.length === 0
        ? []
        : await this.database.primary().find(Account, which, { fields: ['accountId', 'program'] });
    const programOf = new Map(named.map(({ accountId, program }) => [accountId, program]));
    const owned = await this.ownedOf(waiting);
    const isSeen = ({ accountId, by }: PendingDenial): boolean =>
      accountId !== null &&
      programOf.get(accountId) === by.program &&
      (by.customerId === null || owned.has(`${accountId} ${by.customerId}`));
    const attempts = waiting.flatMap(attempt => {
      // A request may name accounts of its caller beside the one for which it was refused.
      if (attempt.code === 'account_not_found' && isSeen(attempt)) return [];
      const owning = attempt.accountId === null ? undefined : programOf.get(attempt.accountId);
      const program = attempt.program ?? (attempt.code === 'account_not_found' ? owning : attempt.by.program);
      return program === undefined
        ? []
        : [{ ...attempt, program, accountId: owning === program ? attempt.accountId : null }];
    });
    const subjects = [...Map.groupBy(attempts, subjectOf)];
    const countAll = (times: 1 | -1): Promise<WindowUsage[]> =>
      Promise.all(subjects.map(([subject, { length }]) => this.tally.add(subject, times * length)));
    const used = await countAll(1);
    // The number of attempts of each subject before its next one.
    const counts = new Map(
      subjects.map(([subject, { length }], n) => [subject, (used[n] as WindowUsage).count - length]),
    );
    const denials = attempts.flatMap((attempt): NewDenial[] => {
      const { by, program, action, accountId, code, deniedAtMs } = attempt;
      const count = (counts.get(subjectOf(attempt)) ?? 0) + 1;
      counts.set(subjectOf(attempt), count);
      if (count > MAX_DENIED_A_MINUTE) return [];
      const data = {
        code,
        // An operator of another program learns which one the attempt came from; the log has its requests.
        ...(program !== by.program && { program: by.program }),
        ...(count === MAX_DENIED_A_MINUTE && { furtherRecorded: false }),
      };
      return [{ by: { ...by, program }, action, accountId, data, ageMs: performance.now() - deniedAtMs }];
    });
    if (denials.length === 0) return;
    try {
      await inTwoRoundTrips(
        this.database,
        async () => recordingDenied(denials),
        queries => queries,
      );
    } catch (error) {
      // A batch that failed is recorded again.
      await countAll(-1);
      throw error;
    }
  }
}

/** `program` keeps the record, and need not be the one of the subject. */
function subjectOf({ program, by }: PendingDenial & { readonly program: string }): string {
  return JSON.stringify([program, by.program, by.clientId, by.subject]);
}
