import type { Caller } from '../../shared/caller.js';
import { refusalOf } from '../database/retry.js';

/**
 * A replay is done or refused as it was the first time; nothing new happened. What a dry run tried would be done, and
 * was not. What waits will be done when another person approves it.
 */
export type CommandOutcome = 'done' | 'tried' | 'waiting' | 'replayed' | 'refused' | 'failed';
export type CountCommand = (command: string, outcome: CommandOutcome) => void;

/** Reports about commands once they are over. */
export interface CommandWatch {
  readonly count: CountCommand;
  /** Events were committed. */
  readonly committed: () => void;
}

/** Counts a command when it is over. */
export async function counted<Result>(
  count: CountCommand,
  { idempotency }: Caller,
  { command, dryRun }: { readonly command: string; readonly dryRun: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const before = idempotency?.outcomes.length ?? 0;
  // The writes of one request run one after another, so what was added is of this one.
  const outcome = (first: CommandOutcome): CommandOutcome =>
    idempotency?.outcomes[before]?.isReplay ? 'replayed' : first;
  try {
    const result = await work();
    count(command, outcome(dryRun ? 'tried' : 'done'));
    return result;
  } catch (error) {
    const kind = refusalOf(error)?.kind;
    // A command that waits is answered like a refusal.
    const other = kind !== 'accepted' ? 'refused' : dryRun ? 'tried' : 'waiting';
    const isFailure = kind === undefined || kind === 'internal' || kind === 'unavailable';
    count(command, isFailure ? 'failed' : outcome(other));
    throw error;
  }
}
