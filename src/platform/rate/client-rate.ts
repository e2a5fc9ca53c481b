import { hash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Identity } from '../../shared/caller.js';
import { RateLimited } from './rate.errors.js';
import { SharedAllowance } from './shared-allowance.js';

/** Made by a migration. */
const TABLE = 'rate_limit';

export interface RateOptions {
  /** Units a second, sustained. */
  readonly perSecond: number;
  /** Units at once. */
  readonly burst: number;
  /** Counts for all processes together; null: each for itself. */
  readonly pool: pg.Pool | null;
}

/** What a client has left, and when it has all of it again. */
export interface Allowance {
  readonly remaining: number;
  readonly resetMs: number;
}

type Consume = (client: string, units: number) => Promise<RateLimiterRes>;

/**
 * How much each client, a program's `client_id`, may use: `burst` units in each window of `burst / perSecond` seconds. So a client may
 * come all at once after a rest, and over time not faster than `perSecond`.
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

  /** Takes units, and tells what is left through `tell` in any case. Throws `RateLimited` when there are not enough. */
  async take({ program, clientId }: Identity, units: number, tell: (left: Allowance) => void): Promise<void> {
    try {
      tell(allowanceOf(await this.consume(`${program}\n${clientId}`, units)));
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
      ...{ storeClient: pool, storeType: 'pool', tableName: TABLE, tableCreated: true, keyPrefix: '' },
      ...{ points: memory.points, duration: memory.duration },
      // A client that has used everything up is not asked about again in this window, and without the database each process counts.
      ...{ inMemoryBlockOnConsumed: memory.points, insuranceLimiter: memory },
    }),
  );
  return (client, units) => allowance.consume(hash('sha256', client, 'base64url'), units);
}

function allowanceOf({ remainingPoints, msBeforeNext }: RateLimiterRes): Allowance {
  return { remaining: remainingPoints, resetMs: msBeforeNext };
}
