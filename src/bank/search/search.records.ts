import { Backlog } from '../../../lib/collections/backlog.js';
import { actorOf, recording, type Actor, type NewEvent } from '../../platform/command/recording.js';
import type { Database } from '../../platform/database/orm.js';
import { refusalOf } from '../../platform/database/retry.js';
import { inTwoRoundTrips } from '../../platform/database/transaction.js';
import type { Tally } from '../../platform/workers/limits.js';
import type { ProcessGroup } from '../../platform/workers/process-group.js';
import type { Caller } from '../../shared/caller.js';
import { TooManySearches } from './search.errors.js';

/** The key by which people are searched. */
export type PersonalKey = 'NAME' | 'LAST_FOUR' | 'CONTACT' | 'PAYEE';

const HOUR_MS = 3_600_000;
/**
 * The number of times an hour that a customer may give a name of a payee that does not match, by whichever client and
 * subject, and the number of names that may be compared at once: names of a known account could be guessed.
 */
const MAX_MISMATCHES_AN_HOUR = 10;
const MAX_SUBJECTS = 10_000;
const MAX_WAITING = 10_000;
const BATCH = 1000;
/** Searches of this time are one event of their subject. */
const GATHER_MS = 1000;
const RETRY_MS = 1000;
const CLOSE_MS = 5000;

interface SearchRecord {
  readonly by: Actor;
  readonly key: PersonalKey;
  readonly hits: number;
}

/**
 * Limits the searches for people by their names, last four digits and contacts, and names of payees, and puts them on
 * record.
 */
export class SearchRecords {
  private readonly tally: Tally;
  private readonly payees: Tally;
  private readonly backlog: Backlog<SearchRecord>;

  /** `lost` is told how many could not be recorded, and why. `committed` is called after events were. */
  constructor(
    private readonly database: Database,
    together: ProcessGroup,
    private readonly mostAnHour: number,
    committed: () => void,
    lost: (count: number, reason: unknown) => void,
  ) {
    this.payees = together.tally('names of payees', { windowMs: HOUR_MS, maxKeys: MAX_SUBJECTS });
    this.tally = together.tally('searches for people', { windowMs: HOUR_MS, maxKeys: MAX_SUBJECTS });
    this.backlog = new Backlog<SearchRecord>({
      most: MAX_WAITING,
      batch: BATCH,
      gatherMs: GATHER_MS,
      retryMs: RETRY_MS,
      lost,
      work: async searches => {
        await this.record(searches);
        committed();
      },
      passes: error => refusalOf(error)?.kind === 'unavailable',
    });
  }

  /** Counts a search before it is carried out. Throws `TooManySearches`. */
  async take(caller: Caller): Promise<void> {
    const { count, resetMs } = await this.tally.add(keyOf(caller), 1);
    if (count > this.mostAnHour) throw new TooManySearches(resetMs);
  }

  /** Takes a search back that was for no person. */
  async giveBack(caller: Caller): Promise<void> {
    await this.tally.add(keyOf(caller), -1);
  }

  /** Counts names of payees before they are compared. Throws `TooManySearches`. */
  async takePayees(caller: Caller, names: number): Promise<void> {
    const { count, resetMs } = await this.payees.add(customerOf(caller), names);
    if (count <= MAX_MISMATCHES_AN_HOUR) return;
    await this.payees.add(customerOf(caller), -names);
    throw new TooManySearches(resetMs);
  }

  /** Puts names of payees on record that were compared, and takes back those that were no mismatch. */
  async addPayees(caller: Caller, names: number, mismatches: number): Promise<void> {
    for (let index = 0; index < names; index += 1) this.add(caller, 'PAYEE', index < mismatches ? 0 : 1);
    if (names > mismatches) await this.payees.add(customerOf(caller), mismatches - names);
  }

  add(by: Caller, key: PersonalKey, hits: number): void {
    this.backlog.add({ by: actorOf(by), key, hits });
  }

  /** Resolves when all searches so far are on record. */
  settled(): Promise<void> {
    return this.backlog.settled();
  }

  /** Records what waits, as long as that takes no more than some seconds. */
  close(): Promise<void> {
    return this.backlog.close(CLOSE_MS);
  }

  /** One event for each subject, with the request id of its first search. What was looked for is in none. */
  private async record(searches: readonly SearchRecord[]): Promise<void> {
    const events = [...Map.groupBy(searches, ({ by }) => keyOf(by)).values()].map((all): NewEvent => {
      const { by } = all[0] as SearchRecord;
      const count = (key: PersonalKey): number => all.filter(one => one.key === key).length;
      const data = {
        byName: count('NAME'),
        byLastFour: count('LAST_FOUR'),
        byContact: count('CONTACT'),
        byPayee: count('PAYEE'),
        hits: all.reduce((sum, { hits }) => sum + hits, 0),
      };
      return { by, action: 'personal_data.search', accountId: null, object: `program/${by.program}`, data };
    });
    await inTwoRoundTrips(
      this.database,
      async () => recording(events),
      queries => queries,
    );
  }
}

/** The customer who names payees, or the program. */
function customerOf({ program, customerId }: Caller): string {
  return JSON.stringify([program, customerId]);
}

function keyOf({ program, clientId, subject, actor }: Omit<Actor, 'requestId'>): string {
  return JSON.stringify([program, clientId, subject, ...(actor === undefined ? [] : [actor])]);
}
