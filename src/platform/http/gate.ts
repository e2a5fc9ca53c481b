import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Caller, Identity } from '../../shared/caller.js';
import { TokenExpired, Unauthenticated } from '../../shared/errors.js';
import type { Bearer } from '../auth/bearer.js';
import { TokenRevoked } from '../auth/revoked-tokens.js';
import type { TokenStanding } from '../auth/token-standing.js';
import type { Logger } from '../logging/logger.js';
import { Overloaded, type PacedRefusals } from '../overload/overload.js';
import type { Allowance, ClientRate } from '../rate/client-rate.js';
import type { FailedAuthentications } from '../rate/failed-authentications.js';
import { RateLimited, queueOf } from '../rate/rate-limited.js';
import { holdBack } from './body.js';
import { addressGroup } from './client-address.js';
import { exchangeOf, type Exchange, type CostCharger } from './exchange.js';
import type { ProofOfPossession } from './proof-of-possession.js';

/**
 * The cost of a request for its client, in units. A GraphQL operation costs by what it asks for, see `operationUnits`.
 */
export const READ_UNITS = 1;
const WRITE_UNITS = 5;
/** A document that is sent or received. */
export const DOCUMENT_UNITS = 10;
/** Reading and writing this many entries of a file takes about 0.5 ms, as long as the smallest read. */
const ENTRIES_OF_UNIT = 100;

/** The entries of a PDF that are set in that time. */
const PRINTED_ENTRIES_OF_UNIT = 4;

/** The cost of a PDF with so many entries. */
export function unitsOfPdf(entries: number): number {
  return Math.max(DOCUMENT_UNITS, Math.ceil(entries / PRINTED_ENTRIES_OF_UNIT));
}

/** The cost of a file with so many entries. */
export function unitsOfFile(entries: number): number {
  return Math.max(DOCUMENT_UNITS, Math.ceil(entries / ENTRIES_OF_UNIT));
}

export interface GateOptions {
  readonly bearer: Bearer;
  readonly possession: ProofOfPossession;
  readonly standing: TokenStanding;
  readonly rate: ClientRate;
  readonly failures: FailedAuthentications;
  readonly logClientAddress: boolean;
  readonly refusals: PacedRefusals;
  readonly log: Logger;
}

/** Authenticates callers of REST and GraphQL, and charges them for their requests. */
export class Gate implements CostCharger {
  /**
   * Only its signature tells a good token among many bad ones of one address, so such tokens are verified one at a time
   * in the whole process: a flood of bad signatures costs a part of one processor, whatever its size. A full queue is
   * tens of milliseconds of work, and holds fewer requests than the gateway admits at once.
   */
  private readonly verifications = queueOf({ most: 1_000, parts: [1 / 9] });

  constructor(private readonly options: GateOptions) {}

  /** Tells if tokens are still accepted that were once. */
  get standing(): TokenStanding {
    return this.options.standing;
  }

  /**
   * Authenticates the caller and charges the first units. Throws `Unauthenticated`, `RateLimited`. A request that turns
   * out to cost more is charged later, by
   * `exchange.charge`.
   */
  async admit(exchange: Exchange, units: number): Promise<Caller> {
    exchange.challengePolicy = this.options.possession.challengePolicy;
    try {
      return await this.enter(exchange, await this.identify(exchange), units);
    } catch (error) {
      if (error instanceof Unauthenticated && error.reason !== undefined) {
        this.options.log.info({ requestId: exchange.requestId, reason: error.reason }, 'an access token was refused');
      }
      if (error instanceof RateLimited || error instanceof Overloaded) {
        await new Promise<void>(resolve => this.options.refusals.send(resolve));
        await holdBack(exchange.request, error);
      }
      throw error;
    }
  }

  /** Charges a caller who was authenticated before, on the same connection. Throws `RateLimited`. */
  async enter(exchange: Exchange, identity: Identity, units: number): Promise<Caller> {
    const caller = exchange.authenticated(identity);
    exchange.till = this;
    await exchange.charge(units);
    await exchange.takeTurn?.();
    return caller;
  }

  /** Checks a client's secret, unless its address sent too many bad ones. `failed` says whether this one was bad. */
  async guard<Result>(
    exchange: Exchange,
    check: () => Promise<Result>,
    failed: (result: Result) => boolean,
  ): Promise<Result> {
    const limit = this.limitOf(exchange);
    if (limit) throw limit;
    const result = await check();
    if (failed(result)) await this.countFailure(exchange);
    return result;
  }

  /**
   * The identity in the token. A good token is accepted whatever else comes from its address, which many clients may
   * share behind one NAT. Where too many bad ones came from there, cheap checks come first and verification is queued.
   */
  private async identify(exchange: Exchange): Promise<Identity> {
    if (exchange.page) return exchange.page.identify(exchange);
    const limit = this.limitOf(exchange);
    try {
      const identity = await this.verify(exchange, limit !== null);
      await this.options.possession.check(exchange, identity);
      await this.standing.check({ authorization: exchange.authorization, identity });
      return identity;
    } catch (error) {
      if (!isForged(error)) throw error;
      if (limit) throw limit;
      await this.countFailure(exchange);
      throw error;
    }
  }

  private async verify({ authorization, clientAddress }: Exchange, isLimited: boolean): Promise<Identity> {
    const { bearer } = this.options;
    if (!isLimited) return bearer.verify(authorization);
    const identity = bearer.known(authorization);
    if (identity) return identity;
    bearer.screen(authorization);
    return this.verifications.run([addressGroup(clientAddress)], () => bearer.verify(authorization));
  }

  private limitOf(exchange: Exchange): RateLimited | null {
    const { failures } = this.options;
    return failures.none ? null : failures.limit(addressGroup(exchange.clientAddress));
  }

  /** Throws `RateLimited` where the address had too many failures in other processes. */
  private async countFailure(exchange: Exchange): Promise<void> {
    const { failures, log, logClientAddress } = this.options;
    const { clientAddress, requestId } = exchange;
    const { isLast, limit } = await failures.count(addressGroup(clientAddress));
    if (limit) throw limit;
    if (isLast) {
      log.warn(
        { ...(logClientAddress && { clientAddress }), requestId },
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

/** Admits REST requests. */
export function admitting(gate: Gate): RequestHandler {
  return async (request, _response, next) => {
    await gate.admit(exchangeOf(request), requestUnits(request));
    next();
  };
}

/** The cost of a REST request at first. */
function requestUnits({ method, headers }: IncomingMessage): number {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return READ_UNITS;
  const isDocument = headers['content-type'] !== undefined && !/\bjson\b/i.test(headers['content-type']);
  return isDocument ? DOCUMENT_UNITS : WRITE_UNITS;
}

/** The part of an operation's cost that is one unit: the smallest queries cost as much as one read. */
const COST_OF_UNIT = 10;

/** The cost of a GraphQL operation in all. Its writes cost as much as the same writes over REST. */
export function operationUnits(cost: number | null, writes: number): number {
  return Math.max(READ_UNITS, Math.ceil((cost ?? 1) / COST_OF_UNIT), writes * WRITE_UNITS);
}

/** The cost of one write over REST that makes so many records: as much as over GraphQL. */
export function writeUnits(records: number): number {
  return WRITE_UNITS + Math.ceil((2 * records) / COST_OF_UNIT);
}

/**
 * An expired or revoked token is no attack: a busy client sends hundreds before it gets the next one. Nor is a proof
 * that lacks the nonce, which the answer brings.
 */
function isForged(error: unknown): boolean {
  if (!(error instanceof Unauthenticated) || error instanceof TokenExpired) return false;
  if (error instanceof TokenRevoked) return false;
  return error.tokenError !== undefined && error.tokenError !== 'use_dpop_nonce';
}

/** By draft-ietf-httpapi-ratelimit-headers-11. */
function rateHeaders(policy: string, { remaining, resetMs }: Allowance): Record<string, string> {
  return { 'RateLimit-Policy': policy, RateLimit: `"client";r=${remaining};t=${Math.ceil(resetMs / 1000)}` };
}
