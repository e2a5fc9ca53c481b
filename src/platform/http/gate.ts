import type { IncomingMessage } from 'node:http';
import type { Caller, Identity } from '../../shared/caller.js';
import { TokenExpired, Unauthenticated } from '../../shared/errors.js';
import type { Bearer } from '../auth/bearer.js';
import type { Logger } from '../logging/logger.js';
import type { PacedRefusals } from '../overload/paced-refusals.js';
import type { Allowance, ClientRate } from '../rate/client-rate.js';
import type { FailedAuthentications } from '../rate/failed-authentications.js';
import { RateLimited } from '../rate/rate.errors.js';
import { FairQueue } from '../rate/fair-queue.js';
import { rememberCaller } from './caller.js';
import { addressGroup } from './client-address.js';
import type { Exchange, Till } from './exchange.js';

/** What a request costs of its client's rate, in units. A GraphQL operation costs by what it asks for, see `operationUnits`. */
export const READ_UNITS = 1;
export const WRITE_UNITS = 5;
/** A document that is sent or received. */
export const DOCUMENT_UNITS = 10;

export interface GateOptions {
  readonly bearer: Bearer;
  readonly rate: ClientRate;
  readonly failures: FailedAuthentications;
  readonly logClientAddress: boolean;
  readonly refusals: PacedRefusals;
  readonly log: Logger;
}

/** Lets callers in through either door: who they are, and whether they have come too often. */
export class Gate implements Till {
  /**
   * A good token among many bad ones of its address cannot be told before its signature is verified, so all of them are, but one at a time
   * in the whole process: a flood of bad signatures costs a part of one processor at most, whatever its size. What may wait takes some tens
   * of milliseconds, and is less than the gateway lets in at once.
   */
  private readonly verifications = new FairQueue({ ofKey: 100, inAll: 1_000 });

  constructor(private readonly options: GateOptions) {}

  /**
   * Who calls; takes the first units. Throws `Unauthenticated`, `RateLimited`. What costs more than a first look tells later, by
   * `exchange.charge`.
   */
  async admit(exchange: Exchange, units: number): Promise<Caller> {
    try {
      const caller = rememberCaller(exchange, await this.identify(exchange));
      exchange.till = this;
      await exchange.charge(units);
      return caller;
    } catch (error) {
      if (error instanceof Unauthenticated && error.reason !== undefined) {
        this.options.log.info({ requestId: exchange.requestId, reason: error.reason }, 'an access token was refused');
      }
      if (error instanceof RateLimited) await new Promise<void>(resolve => this.options.refusals.send(resolve));
      throw error;
    }
  }

  /** Looks at a client's secret, unless too many credentials from the same address did not hold. `failed` says whether this one held. */
  async guard<Result>(
    exchange: Exchange,
    look: () => Promise<Result>,
    failed: (result: Result) => boolean,
  ): Promise<Result> {
    const limit = this.limitOf(exchange);
    if (limit) throw limit;
    const result = await look();
    if (failed(result)) this.countFailure(exchange);
    return result;
  }

  /**
   * Whose token it is. A good token is let in whatever else comes from its address, which many may share behind one NAT. Where too many
   * from there did not hold, it is looked up among those that were verified, then held against what costs nothing to know, and then
   * verified in its turn.
   */
  private async identify(exchange: Exchange): Promise<Identity> {
    const { bearer } = this.options;
    const { authorization } = exchange.request.headers;
    const limit = this.limitOf(exchange);
    try {
      if (!limit) return await bearer.verify(authorization);
      const known = bearer.known(authorization);
      if (known) return known;
      bearer.screen(authorization);
      return await this.verifications.run(addressGroup(exchange.clientAddress), () => bearer.verify(authorization));
    } catch (error) {
      if (!isForged(error)) throw error;
      if (limit) throw limit;
      this.countFailure(exchange);
      throw error;
    }
  }

  private limitOf(exchange: Exchange): RateLimited | null {
    const { failures } = this.options;
    return failures.none ? null : failures.limit(addressGroup(exchange.clientAddress));
  }

  private countFailure(exchange: Exchange): void {
    const { failures, log, logClientAddress } = this.options;
    const { clientAddress, requestId } = exchange;
    if (failures.count(addressGroup(clientAddress))) {
      const whose = logClientAddress ? { clientAddress } : {};
      log.warn(
        { ...whose, requestId },
        'too many invalid credentials came from this address; for a minute its invalid credentials are answered with 429',
      );
    }
  }

  /** See `Exchange.charge`. */
  async charge(exchange: Exchange, total: number): Promise<void> {
    const due = total - exchange.charged;
    if (!exchange.caller || due <= 0) return;
    exchange.charged = total;
    const { rate } = this.options;
    await rate.take(exchange.caller, due, left => (exchange.rateHeaders = rateHeaders(rate.policy, left)));
  }
}

/** What a REST request costs at first. */
export function requestUnits({ method, headers }: IncomingMessage): number {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return READ_UNITS;
  const isDocument = headers['content-type'] !== undefined && !/\bjson\b/i.test(headers['content-type']);
  return isDocument ? DOCUMENT_UNITS : WRITE_UNITS;
}

/** What the limit of an operation's cost counts finely is charged roughly: the smallest queries are one read. */
const COST_OF_UNIT = 10;

/** What a GraphQL operation costs in all; a write as much as the same write over REST. */
export function operationUnits(cost: number | null, writes: number): number {
  return Math.max(READ_UNITS, Math.ceil((cost ?? 1) / COST_OF_UNIT), writes * WRITE_UNITS);
}

/** A token that was good until it expired is no attempt: a busy client sends hundreds before it has its next one. */
function isForged(error: unknown): boolean {
  return error instanceof Unauthenticated && error.tokenError !== undefined && !(error instanceof TokenExpired);
}

/** By draft-ietf-httpapi-ratelimit-headers-11. */
function rateHeaders(policy: string, { remaining, resetMs }: Allowance): Record<string, string> {
  return { 'RateLimit-Policy': policy, RateLimit: `"client";r=${remaining};t=${Math.ceil(resetMs / 1000)}` };
}
