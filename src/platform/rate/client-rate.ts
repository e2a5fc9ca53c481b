import { hash } from 'node:crypto';
import type pg from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { LRUCache } from 'lru-cache';
import { clientKeyOf, type Identity } from '../../shared/caller.js';
import { RateLimited } from './rate-limited.js';

/** Made by a migration. */
const TABLE = 'rate_limit';

export interface RateOptions {
  /** Units a second, sustained. */
  readonly perSecond: number;
  /** Units at once. */
  readonly burst: number;
  /** To count for all processes together; null: each counts for itself. */
  readonly pool: pg.Pool | null;
}

/** What a client has left, and when it has its whole allowance again. */
export interface Allowance {
  readonly remaining: number;
  readonly resetMs: number;
}

type Consume = (client: string, units: number) => Promise<RateLimiterRes>;

/**
 * How much each client, a program's `client_id` or the session of a person, may use: `burst` units in each window of `burst / perSecond` seconds.
 * So a client may come all at once after a rest, and over time not faster than `perSecond`.
 */
export class ClientRate {
  /** The policy as draft-ietf-httpapi-ratelimit-headers-11 writes it: a quota, in a window of seconds. */
  readonly policy: string;
  private readonly consume: Consume;

  constructor({ perSecond, burst, pool }: RateOptions) {
    const duration = burst / perSecond;
    this.policy = `"client";q=${burst};w=${Math.ceil(duration)}`;
    const memory = new RateLimiterMemory({ points: burst, duration });
    this.consume = pool ? consumeShared(pool, memory) : (client, units) => memory.consume(client, units);
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

function consumeShared(pool: pg.Pool, memory: RateLimiterMemory): Consume {
  const allowance = new SharedAllowance(
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: TABLE,
      tableCreated: true,
      keyPrefix: '',
      points: memory.points,
      duration: memory.duration,
      // The store is not asked about a client without units until the window ends. Without the store each process
      // counts.
      inMemoryBlockOnConsumed: memory.points,
      insuranceLimiter: memory,
    }),
  );
  return (client, units) => allowance.consume(hash('sha256', client, 'base64url'), units);
}

function allowanceOf({ remainingPoints, msBeforeNext }: RateLimiterRes): Allowance {
  return { remaining: remainingPoints, resetMs: msBeforeNext };
}

/** What a process has taken from the shared store for a client, and not used yet. */
interface Held {
  points: number;
  remaining: number;
  untilMs: number;
}

/** A process takes one of so many parts of the allowance at once: 1,000 requests a second become 20 statements. */
const PARTS = 100;
const MAX_CLIENTS = 10_000;
/** How often a request waits for a part that concurrent requests share. Then it takes units for itself. */
const MAX_TURNS = 20;

/**
 * A limit that several processes share, without asking the store for each request: a process takes a hundredth of the
 * allowance at once. What it does not use is lost when the window ends, so a client may be refused that much sooner,
 * and never later.
 */
class SharedAllowance {
  private readonly held = new LRUCache<string, Held>({ max: MAX_CLIENTS });
  private readonly taking = new Map<string, Promise<void>>();
  private readonly part: number;

  constructor(private readonly store: RateLimiterAbstract) {
    this.part = Math.max(1, Math.floor(store.points / PARTS));
  }

  /** Resolves with what is left. Rejects with a `RateLimiterRes` when there is not enough. */
  async consume(key: string, points: number): Promise<RateLimiterRes> {
    for (let turn = 1; turn <= MAX_TURNS; turn++) {
      const given = this.give(key, points);
      if (given) return given;
      // Concurrent requests take one part together.
      await (this.taking.get(key) ?? this.take(key, Math.max(points, this.part)));
    }
    return this.store.consume(key, points);
  }

  private give(key: string, points: number): RateLimiterRes | null {
    const held = this.held.get(key);
    const left = held ? held.untilMs - Date.now() : 0;
    if (!held || left <= 0 || held.points < points) return null;
    held.points -= points;
    return new RateLimiterRes(held.remaining + held.points, left, 0, false);
  }

  private take(key: string, points: number): Promise<void> {
    const taken = this.store.consume(key, points).then(({ remainingPoints, msBeforeNext }) => {
      const held = this.held.get(key);
      const kept = held && held.untilMs > Date.now() ? held.points : 0;
      this.held.set(key, {
        points: kept + points,
        remaining: remainingPoints,
        untilMs: Date.now() + msBeforeNext,
      });
    });
    const taking = taken.finally(() => this.taking.delete(key));
    this.taking.set(key, taking);
    return taking;
  }
}
