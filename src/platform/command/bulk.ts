import { isUniqueViolation } from '../../../lib/pg-wire/pg-errors.js';
import { Refusal } from '../../shared/errors.js';
import { Interfered, type StatementSender, type SqlQuery, type SqlTransaction } from '../database/transaction.js';
import { targetsOf, type CommandRequest, type Kind, type SubjectLocker, type Work } from './command.js';
import { allSeen, acceptedOf, eventsOf, rowsOf, type CommandToWrite } from './decision.js';
import { factsOf } from './facts.js';
import { recording } from './recording.js';

/** The facts about commands behind their locks, in the order of the commands. */
interface BulkFacts<Subject> {
  /** The subjects of each command, in the order of `targetsOf`. */
  readonly subjects: readonly (readonly (Subject | null)[])[];
  readonly facts: readonly unknown[];
}

/** The outcome of commands: the result of each, or the reason for its refusal, and those that are to be written. */
export interface BulkDecision<Subject, Result> {
  readonly results: readonly (Result | Refusal)[];
  readonly accepted: readonly CommandToWrite<Subject>[];
}

/**
 * A kind of command that the bank's own work gives by the hundred: lines of an import, documents of a month. It has the
 * steps of every other kind (see `Work`) and takes the same locks, in a transaction that is open for many of them. It
 * comes without a scope, and without keys: what is done again finds what was done. No two that run together may be
 * about one account, since each is decided by what the account was before all of them.
 */
export class Bulk<Input, Subject, Fact, Result, Draft> {
  private readonly kind: Kind<Subject>;

  constructor(
    private readonly locking: SubjectLocker<Subject>,
    name: string,
    work: Work<Input, Subject, Fact, Result, Draft>,
  ) {
    this.kind = { name, work };
  }

  /**
   * Carries out commands of different accounts or programs, one statement after another. A refusal stands in the place
   * of its result. Throws what is no refusal, and then nothing of them may be kept.
   */
  async run(
    transaction: SqlTransaction,
    requests: readonly CommandRequest<Input>[],
  ): Promise<readonly (Result | Refusal)[]> {
    const { results, accepted } = this.decide(requests, await this.readFacts(transaction, requests));
    // The numbers of events are not held until a dry run is over: readers of the feed would wait for them.
    const queries = transaction.isDryRun ? rowsOf(accepted) : this.writing(accepted);
    await transaction.runAll(queries).catch((error: unknown) => {
      // A record that was not there when it was looked for is there now. The transaction begins again, and finds it.
      throw isUniqueViolation(error) ? new Interfered() : error;
    });
    return results;
  }

  /** Locks what commands are about, and reads what decides. Sends all its statements before it waits for any. */
  async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<Input>[],
  ): Promise<BulkFacts<Subject>> {
    if (requests.length === 0) return { subjects: [], facts: [] };
    const commands = this.commandsOf(requests);
    const targets = commands.map(targetsOf);
    const [locked, facts] = await Promise.all([
      this.locking.lock(transaction, targets.flat(), true),
      factsOf(transaction, commands),
    ]);
    let from = 0;
    return { subjects: targets.map(({ length }) => locked.slice(from, (from += length))), facts };
  }

  decide(
    requests: readonly CommandRequest<Input>[],
    { subjects, facts }: BulkFacts<Subject>,
  ): BulkDecision<Subject, Result> {
    const accepted: CommandToWrite<Subject>[] = [];
    const results = this.commandsOf(requests).map((command, index) => {
      try {
        const [subject, ...others] = allSeen(command, subjects[index] ?? [], target => this.locking.notFound(target));
        const one = acceptedOf(command, subject, facts[index], command.kind.work.prepare?.(command), others);
        accepted.push({ command, accepted: one });
        return one.result as Result;
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
    });
    return { results, accepted };
  }

  /** The statements that write accepted commands, with their events. */
  writing(accepted: readonly CommandToWrite<Subject>[]): SqlQuery[] {
    return [...rowsOf(accepted), ...recording(eventsOf(accepted))];
  }

  private commandsOf(
    requests: readonly CommandRequest<Input>[],
  ): (CommandRequest<Input> & { readonly kind: Kind<Subject> })[] {
    return requests.map(one => ({ ...one, kind: this.kind }));
  }
}
