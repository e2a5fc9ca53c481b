import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../../shared/caller.js';
import { CommandService, type Command } from '../command/command.service.js';
import { refusalOf } from '../database/refusal-of.js';

/** A replay is done or refused as it was the first time; nothing new happened. */
export type CommandOutcome = 'done' | 'replayed' | 'refused' | 'failed';
export type CountCommand = (command: string, outcome: CommandOutcome) => void;

/** The commands, each counted when it is over. */
export class CountedCommands extends CommandService {
  constructor(
    private readonly count: CountCommand,
    ...rest: ConstructorParameters<typeof CommandService>
  ) {
    super(...rest);
  }

  override async run<Result>(
    caller: Caller,
    command: Command<Result>,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    const before = caller.idempotency?.outcomes.length ?? 0;
    const outcome = (first: CommandOutcome): CommandOutcome =>
      // The writes of one request run one after another, so what was added is of this one.
      caller.idempotency?.outcomes[before] === 'replayed' ? 'replayed' : first;
    try {
      const result = await super.run(caller, command, work);
      this.count(command.name, outcome('done'));
      return result;
    } catch (error) {
      const kind = refusalOf(error)?.kind;
      const isFailure = kind === undefined || kind === 'internal' || kind === 'unavailable';
      this.count(command.name, isFailure ? 'failed' : outcome('refused'));
      throw error;
    }
  }
}
