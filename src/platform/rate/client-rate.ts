import { hash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { LRUCache } from 'lru-cache';
import { clientKeyOf, type Identity } from '../../shared/caller.js';
import type { Tally } from '../workers/limits.js';
import { RateLimited } from './rate-limited.js';

/** Made by a migration. */
const TABLE = 'rate_limit';

export interface RateOptions {
  /** Units a second, sustained. */
  readonly perSecond: number;
  /** Units at once. */
  readonly burst: number;
  /** Where the units are counted: in the database, by the processes behind one port together, or (null) here alone. */
  readonly store: pg.Pool | Tally | null;
}

/** The units that a client has left, and the time at which it has its whole allowance again. */
export interface Allowance {
  readonly remaining: number;
  readonly resetMs: number;
}

type Consume = (client: string, units: number) => Promise<RateLimiterRes>;

/**
 * The limit of each client, a program's `client_id` or the session of a person: `burst` units in each window of `burst
 * / perSecond` seconds. `burst` units in each window of `burst / perSecond` seconds. So a client may come all at once
 * after a rest, and over time not faster than `perSecond`.
 */
export class ClientRate {
  /** The policy as draft-ietf-httpapi-ratelimit-headers-11 writes it: a quota, in a window of seconds. */
  readonly policy: string;
  private readonly consume: Consume;

  constructor({ perSecond, burst, store }: RateOptions) {
    const duration = burst / perSecond;
    this.policy = `"client";q=${burst};w=${Math.ceil(duration)}`;
    const memory = new RateLimiterMemory({ points: burst, duration });
    if (store === null) this.consume = (client, units) => memory.consume(client, units);
    else {
      const allowance = new SharedAllowance('add' in store ? storeOf(store, burst) : storeIn(store, memory), burst);
      this.consume = (client, units) => allowance.consume(client, units);
    }
  }

  /** Takes units, and in any case tells what is left. Throws `RateLimited` when there are not enough. */
  async take(client: Identity, units: number, tell: (left: Allowance) => void): Promise<void> {
    try {
      tell(allowanceOf(await this.consume(clientKeyOf(client), units)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      tell(allowanceOf(refused));
      throw new RateLimited(refused.msBeforeNext);
    }
  }
}

/** Counts for several processes. Rejects with a `RateLimiterRes` when there is not enough. */
type Store = (client: string, units: number) => Promise<RateLimiterRes>;

function storeIn(pool: pg.Pool, memory: RateLimiterMemory): Store {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    keyPrefix: '',
    points: memory.points,
    duration: memory.duration,
    // Without the store each process counts.
    insuranceLimiter: memory,
  });
  return (client, units) => limiter.consume(hash('sha256', client, 'base64url'), units);
}

/** The library rejects with the remaining units, which is no error. */
function refusing(left: RateLimiterRes): Promise<never> {
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  return Promise.reject(left);
}

function storeOf(tally: Tally, points: number): Store {
  return async (client, units) => {
    const { count, resetMs } = await tally.add(client, units);
    const left = new RateLimiterRes(Math.max(0, points - count), resetMs, count, count === units);
    return count > points ? refusing(left) : left;
  };
}

function allowanceOf({ remainingPoints, msBeforeNext }: RateLimiterRes): Allowance {
  return { remaining: remainingPoints, resetMs: msBeforeNext };
}

/** The units that a process has taken from the shared store for a client, and not used yet. */
interface RateAllowance {
  points: number;
  remaining: number;
  untilMs: number;
  /** The store has refused, so it will until the window ends. */
  isUsedUp: boolean;
}

/** A process takes one of so many parts of the allowance at once: 1,000 requests a second become 20 statements. */
const PARTS = 100;
const MAX_CLIENTS = 10_000;
/**
 * The number of times that a request waits for a part that concurrent requests share. Then it takes units for itself.
 */
const MAX_TURNS = 20;

/**
 * A limit that several processes share, without asking the store for each request: a process takes a hundredth of the
 * allowance at once. What it does not use is lost when the window ends, so a client may be refused that much sooner,
 * and never later.
 */
class SharedAllowance {
  private readonly held = new LRUCache<string, RateAllowance>({ max: MAX_CLIENTS });
  private readonly taking = new Map<string, Promise<void>>();
  private readonly part: number;

  constructor(
    private readonly store: Store,
    points: number,
  ) {
    this.part = Math.max(1, Math.floor(points / PARTS));
  }

  /** Resolves with the remaining units. Rejects with a `RateLimiterRes` when there is not enough. */
  async consume(key: string, points: number): Promise<RateLimiterRes> {
    for (let turn = 1; turn <= MAX_TURNS; turn++) {
      const pass = this.give(key, points);
      if (pass) return pass;
      // Concurrent requests take one part together.
      await (this.taking.get(key) ?? this.take(key, Math.max(points, this.part)));
    }
    return this.store(key, points);
  }

  private give(key: string, points: number): RateLimiterRes | Promise<RateLimiterRes> | null {
    const held = this.held.get(key);
    const left = held ? held.untilMs - Date.now() : 0;
    if (!held || left <= 0) return null;
    if (held.points < points) return held.isUsedUp ? refusing(new RateLimiterRes(0, left, 0, false)) : null;
    held.points -= points;
    return new RateLimiterRes(held.remaining + held.points, left, 0, false);
  }

  private take(key: string, points: number): Promise<void> {
    const taking = this.store(key, points)
      .then(
        left => this.hold(key, points, left, false),
        (refused: unknown) => {
          if (refused instanceof RateLimiterRes) this.hold(key, 0, refused, true);
          throw refused;
        },
      )
      .finally(() => this.taking.delete(key));
    this.taking.set(key, taking);
    return taking;
  }

  private hold(key: string, points: number, left: RateLimiterRes, isUsedUp: boolean): void {
    const held = this.held.get(key);
    const pointsBefore = held && held.untilMs > Date.now() ? held.points : 0;
    const untilMs = Date.now() + left.msBeforeNext;
    this.held.set(key, { points: pointsBefore + points, remaining: left.remainingPoints, untilMs, isUsedUp });
  }
}
