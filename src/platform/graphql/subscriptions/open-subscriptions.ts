import { setTimeout as sleep } from 'node:timers/promises';
import { UnorderedList } from '../../../../lib/collections/in-progress.js';
import { clientKeyOf, type Identity } from '../../../shared/caller.js';
import { Unavailable } from '../../../shared/errors.js';
import type { TokenStanding } from '../../auth/token-standing.js';
import { asRefusal } from '../../http/problem.js';
import type { PlaceLimits, PlaceLimiter } from '../../workers/limits.js';
import type { ProcessGroup } from '../../workers/process-group.js';
import type { Connection } from './connection.js';
import { SHUTTING_DOWN, TooManySubscriptions } from './refusals.js';
import type { EndReason } from './subscription.js';

/** The pause between two looks at connections: the end of a token is noticed this much later at most. */
const TICK_MS = 250;
/**
 * The pause between two questions to the issuer about the tokens of open connections, and the number of those at once.
 */
const REVIEW_MS = 30_000;
const REVIEWED_AT_ONCE = 20;
/** When a gateway stops, connections end in so many parts of its grace, so that they do not all come back at once. */
const PARTS = 20;

/** Counts of subscriptions. */
export interface SubscriptionCounts {
  readonly open: () => number;
  /** Connections that carry subscriptions: each HTTP stream is one, and a WebSocket has any number. */
  readonly connections: () => number;
  readonly sent: () => number;
  readonly ended: () => ReadonlyMap<EndReason, number>;
}

/** The open subscriptions of a process, within the limits of the gateway, and the connections that carry them. */
export class OpenSubscriptions {
  private readonly connections = new Connections();
  private readonly subscriptionsOf: PlaceLimiter;
  private readonly socketsOf: PlaceLimiter;
  private readonly timer = setInterval(() => this.tick(), TICK_MS).unref();
  private readonly endedBy = new Map<EndReason, number>();
  private open = 0;
  private sent = 0;
  private isDraining = false;
  /** The revocations by which the connections were looked at. */
  private seenVersion = 0;
  private reviewAtMs = performance.now() + REVIEW_MS;
  private isReviewing = false;

  constructor(
    limits: PlaceLimits,
    together: ProcessGroup,
    private readonly standing: TokenStanding,
  ) {
    this.subscriptionsOf = together.places('subscriptions', limits);
    this.socketsOf = together.places('sockets', limits);
  }

  readonly counts: SubscriptionCounts = {
    open: () => this.open,
    connections: () => this.connections.size,
    sent: () => this.sent,
    ended: () => this.endedBy,
  };

  /** Takes the place of a subscription; the function gives it back. Throws `TooManySubscriptions`, `Unavailable`. */
  take(caller: Identity): Promise<() => void> {
    return this.placeOf(caller, this.subscriptionsOf);
  }

  /** Takes the place of a socket, which may have no or many subscriptions. Throws as `take` does. */
  takeSocket(caller: Identity): Promise<() => void> {
    return this.placeOf(caller, this.socketsOf);
  }

  add(connection: Connection): void {
    this.connections.add(connection);
  }

  remove(connection: Connection): void {
    this.connections.remove(connection);
  }

  countOpened(): void {
    this.open += 1;
  }

  countSent(): void {
    this.sent += 1;
  }

  countEnded(reason: EndReason): void {
    this.open -= 1;
    this.endedBy.set(reason, (this.endedBy.get(reason) ?? 0) + 1);
  }

  /** Accepts no more, and tells all clients within the second half of the grace to connect to another process. */
  async drain(graceMs: number): Promise<void> {
    this.isDraining = true;
    await sleep(graceMs / 2);
    const open = [...this.connections];
    for (let part = 0; part < PARTS; part++) {
      for (let index = part; index < open.length; index += PARTS) open[index]?.end(new Unavailable(SHUTTING_DOWN));
      if (graceMs > 0) await sleep(graceMs / 2 / PARTS);
    }
  }

  /** Ends the subscriptions that are still open. */
  stop(): void {
    clearInterval(this.timer);
    // A connection that ends leaves the list, and another one takes its place there.
    const open = [...this.connections];
    for (const connection of open) connection.destroy();
  }

  private async placeOf(caller: Identity, places: PlaceLimiter): Promise<() => void> {
    if (this.isDraining) throw new Unavailable(SHUTTING_DOWN);
    const taken = await places.take(clientKeyOf(caller));
    if (typeof taken === 'string') throw new TooManySubscriptions(taken);
    return taken;
  }

  private tick(): void {
    const nowMs = performance.now();
    const epochMs = Date.now();
    const open = [...this.connections];
    for (const connection of open) connection.tick(nowMs, epochMs);
    if (this.standing.version !== this.seenVersion) this.endRevoked(open);
    if (this.standing.isAskedFor && nowMs >= this.reviewAtMs && !this.isReviewing) void this.review(open);
  }

  private endRevoked(open: readonly Connection[]): void {
    this.seenVersion = this.standing.version;
    for (const connection of open) {
      const refusal = connection.tokenUse && this.standing.refusalOf(connection.tokenUse.identity);
      if (refusal) connection.end(refusal);
    }
  }

  /** Asks the issuer again about the tokens of connections, which may send no further request. */
  private async review(open: readonly Connection[]): Promise<void> {
    this.isReviewing = true;
    for (let from = 0; from < open.length; from += REVIEWED_AT_ONCE) {
      await Promise.all(open.slice(from, from + REVIEWED_AT_ONCE).map(connection => this.reviewOne(connection)));
    }
    this.reviewAtMs = performance.now() + REVIEW_MS;
    this.isReviewing = false;
  }

  private async reviewOne(connection: Connection): Promise<void> {
    try {
      if (connection.tokenUse) await this.standing.check(connection.tokenUse);
    } catch (error) {
      connection.end(asRefusal(error, ''));
    }
  }
}

class Connections extends UnorderedList<Connection> {
  size = 0;

  override add(connection: Connection): void {
    super.add(connection);
    this.size += 1;
  }

  override remove(connection: Connection): void {
    super.remove(connection);
    this.size -= 1;
  }
}
