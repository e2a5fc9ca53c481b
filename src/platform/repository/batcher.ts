import { AsyncLocalStorage } from 'node:async_hooks';
import DataLoader from 'dataloader';
import { Refusal, Unavailable } from '../../shared/errors.js';
import { outOfTime } from '../database/deadline.js';
import { readingNow, SharedReading, whileReading, type ReplicaSession } from '../database/reading.js';
import { isConnectionLost, isLockTimeout, isStatementCancelled } from '../../../lib/pg-wire/pg-errors.js';

/** Gives one value, or one error, for each key, in the order of the keys. */
export type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>;

export interface BatchLimits {
  /** Keys that stay together. */
  readonly bundle: number;
  /** Bundles a batch. */
  readonly bundles: number;
  /** Batches at the same time. */
  readonly inFlight: number;
  /** Keys that wait for their batch. One more is refused as `Unavailable`. */
  readonly waiting: number;
}

/** Traces batches, of which each may answer several requests. */
export interface BatchTrace {
  /** The place that asks for a key. */
  here(): unknown;
  /** Runs a batch for the places that asked for its keys. */
  around<Result>(places: readonly unknown[], load: () => Promise<Result>): Promise<Result>;
}

/** The batchers of the process, all together, and those who watch them. */
export const batching: {
  waitingKeys: number;
  inFlight: number;
  onBatch: ((keys: number) => void) | null;
  trace: BatchTrace | null;
} = { waitingKeys: 0, inFlight: 0, onBatch: null, trace: null };

const LIMITS: BatchLimits = { bundle: 12, bundles: 5, inFlight: 4, waiting: 10_000 };

/** Keys that wait together, and what to do with their answers. */
interface Bundle<Key, Value> {
  readonly keys: readonly Key[];
  answer(values: readonly (Value | Error)[]): void;
  fail(error: unknown): void;
}

/** Begins one batch, and tells whether another is due. */
type Start = () => boolean;

const starts: Start[] = [];

// A batch belongs to no single request, so it must not run in the context (log fields, open transaction) of the one
// that came first.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/**
 * Batches of all batchers start together, so that their statements can travel together: the first of each, then the
 * second of each, as they are answered in that order, and what belongs to the same requests then is answered together.
 */
function startLater(start: Start): void {
  if (starts.push(start) > 1) return;
  setImmediate(outsideOfRequests, () => {
    for (let due = starts.splice(0); due.length > 0;) due = due.filter(next => next());
  });
}

/**
 * Turns a load of many keys into a load of one, for all requests of the process together. While batches are in flight,
 * the keys that arrive form the next ones; an idle batcher sends at once, so no key waits for a timer. Nothing is
 * cached: each answer is read after its key was asked for. Keys of many callers share a batch, so `load` must not
 * decide who may see what: a key says it, or its caller checks.
 *
 * What waits is shared out among all the batches that may be in flight, and only bundles stay whole: in one batch all
 * requests would wait for the database together, and then the database for all of them.
 */
export function batcher<Key extends NonNullable<unknown>, Value>(
  load: LoadBatch<Key, Value>,
  limits: Partial<BatchLimits> = {},
): (key: Key) => Promise<Value> {
  const alone = batcherOf(load, limits);
  // Keys that one server answers form batches of their own. There are none of these without replicas.
  let [ofReplicas, ofPrimary]: (typeof alone | null)[] = [null, null];
  return key => {
    const reading = readingNow();
    if (!reading) return alone(key, null);
    if (reading.mayUseReplica) return (ofReplicas ??= batcherOf(load, limits))(key, reading);
    return (ofPrimary ??= batcherOf(load, limits))(key, reading);
  };
}

/** Each key comes with what its request has to see, or none does. */
function batcherOf<Key extends NonNullable<unknown>, Value>(
  load: LoadBatch<Key, Value>,
  limits: Partial<BatchLimits>,
): (key: Key, reading: ReplicaSession | null) => Promise<Value> {
  const { bundle, bundles, inFlight, waiting } = { ...LIMITS, ...limits };
  const due: (() => void)[] = [];
  let next: Bundle<Key, Value>[] = [];
  let running = 0;
  let waitingKeys = 0;
  let isScheduled = false;
  // Where the waiting keys were asked for, in their order, which is that of the batches; empty unless batches are
  // traced.
  const places: unknown[] = [];
  // The writes that the reads of the waiting keys have to see, in the same order; empty unless there are replicas.
  const readings: ReplicaSession[] = [];

  const loader = new DataLoader<Key, Value>(keys => new Promise((answer, fail) => next.push({ keys, answer, fail })), {
    cache: false,
    maxBatchSize: bundle,
    batchScheduleFn: dispatch => {
      due.push(dispatch);
      schedule();
    },
  });

  function schedule(): void {
    if (isScheduled || due.length === 0 || running >= inFlight) return;
    isScheduled = true;
    // After the input that has already arrived: its keys still join the batch.
    startLater(start);
  }

  function start(): boolean {
    isScheduled = false;
    const share = Math.ceil(due.length / (inFlight - running));
    for (const dispatch of due.splice(0, Math.min(share, bundles))) dispatch();
    void run(next);
    next = [];
    return running < inFlight && due.length > 0;
  }

  async function run(batch: readonly Bundle<Key, Value>[]): Promise<void> {
    const keys = batch.flatMap(one => one.keys);
    waitingKeys -= keys.length;
    batching.waitingKeys -= keys.length;
    running += 1;
    batching.inFlight += 1;
    batching.onBatch?.(keys.length);
    try {
      const [first, ...others] = readings.splice(0, keys.length);
      const shared = first ? new SharedReading([first, ...others]) : null;
      const loadKeys = () => loadSeparatingFailures(load, keys);
      const loadAll = shared ? () => whileReading(shared, loadKeys) : loadKeys;
      const values = await (batching.trace ? batching.trace.around(places.splice(0, keys.length), loadAll) : loadAll());
      let from = 0;
      for (const one of batch) one.answer(values.slice(from, (from += one.keys.length)));
    } catch (error) {
      for (const one of batch) one.fail(error);
    } finally {
      running -= 1;
      batching.inFlight -= 1;
      schedule();
    }
  }

  return (key, reading) => {
    const late = outOfTime();
    if (late) return Promise.reject(late);
    if (waitingKeys >= waiting) {
      return Promise.reject(new Unavailable('Too many reads are waiting for the database. Try again in a moment.'));
    }
    waitingKeys += 1;
    batching.waitingKeys += 1;
    if (batching.trace) places.push(batching.trace.here());
    if (reading) readings.push(reading);
    return loader.load(key);
  };
}

/** One bad key must fail alone: if a batch fails as a whole, its keys are loaded one by one. */
async function loadSeparatingFailures<Key, Value>(
  load: LoadBatch<Key, Value>,
  keys: readonly Key[],
): Promise<readonly (Value | Error)[]> {
  try {
    return await loadChecked(load, keys);
  } catch (error) {
    if (keys.length === 1 || failsForEveryKey(error)) throw error;
  }
  const results: (Value | Error)[] = [];
  for (const key of keys) {
    try {
      results.push(...(await loadChecked(load, [key])));
    } catch (error) {
      // The rest would fail, too, each after waiting for the database as long as this one.
      if (failsForEveryKey(error)) return [...results, ...keys.slice(results.length).map(() => asError(error))];
      results.push(asError(error));
    }
  }
  return results;
}

async function loadChecked<Key, Value>(
  load: LoadBatch<Key, Value>,
  keys: readonly Key[],
): Promise<readonly (Value | Error)[]> {
  const results = await load(keys);
  // DataLoader finds this, too, but its message quotes the keys.
  if (results.length !== keys.length) {
    throw new Error(`A batch of ${keys.length} keys was answered with ${results.length} results.`);
  }
  return results;
}

function failsForEveryKey(error: unknown): boolean {
  return isConnectionLost(error) || isStatementCancelled(error) || isLockTimeout(error) || error instanceof Refusal;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A load failed without an error.', { cause: error });
}
