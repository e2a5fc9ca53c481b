import type { Caller } from '../../shared/caller.js';
import { Refusal, type RefusalKind } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import { RecordedRefusal } from './command.errors.js';
import { KEY_WAIT_MS, type IdempotencyRecords, type Outcome } from './idempotency-record.js';
import type { KeyQueue } from './key-queue.js';

/** What became of a command, and whether that was only read from its record. */
export interface Settled {
  readonly outcome: Outcome;
  readonly replayed: boolean;
}

/** Runs `once` for the caller's idempotency key: one request of this process at a time, and what it gives is what the client is told. */
export async function underKey<Result>(
  caller: Caller,
  records: IdempotencyRecords,
  turns: KeyQueue,
  once: (keyHash: Buffer | null) => Promise<Settled>,
): Promise<Result> {
  if (!caller.idempotency) return told(await once(null));
  const { outcomes } = caller.idempotency;
  const keyHash = records.hashOf(caller, caller.idempotency);
  const settled = await turns.take(keyHash.toString('hex'), KEY_WAIT_MS, () => once(keyHash));
  outcomes.push(settled.replayed ? 'replayed' : 'first');
  return told(settled);
}

function told<Result>({ outcome }: Settled): Result {
  if ('refusal' in outcome) throw new RecordedRefusal(outcome.refusal);
  return outcome.result as Result;
}

/** Refusals that the state of the bank decides are part of the outcome. A retry meets the same state as the first request did. */
const RECORDED: ReadonlySet<RefusalKind> = new Set(['not_found', 'conflict']);

/**
 * What is recorded of a refusal. Throws the error itself where nothing is: it undoes the whole transaction, with its key. Bad input is never
 * recorded, wherever it is found, so that the corrected request may carry the same key.
 */
export function outcomeOfRefusal(error: unknown): Outcome {
  if (!(error instanceof Refusal) || !RECORDED.has(error.kind)) throw error;
  const { kind, code, message, errors } = error;
  return { refusal: { kind, code, message, ...(errors && { errors }) } };
}

/** 'Not found' tells nothing, so whoever may see nothing any more gets it word by word. */
export function tellsNothing(outcome: Outcome): boolean {
  return 'refusal' in outcome && outcome.refusal.kind === 'not_found';
}

/** What `work` gives or refuses. Throws what it breaks at. */
export async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  return work().then((result): Outcome => ({ result: result as Json }), outcomeOfRefusal);
}
