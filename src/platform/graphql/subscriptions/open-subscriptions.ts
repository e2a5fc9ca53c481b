import { setTimeout as sleep } from 'node:timers/promises';
import { UnorderedList } from '../../../../lib/collections/in-progress.js';
import { clientKeyOf, type Identity } from '../../../shared/caller.js';
import { Unavailable } from '../../../shared/errors.js';
import type { PlaceLimits, PlaceLimiter } from '../../workers/limits.js';
import type { ProcessGroup } from '../../workers/process-group.js';
import type { Connection } from './connection.js';
import { SHUTTING_DOWN, TooManySubscriptions } from './refusals.js';
import type { EndReason } from './subscription.js';

/** How often connections are looked after: the end of a token is noticed this much later at most. */
const TICK_MS = 250;
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

  constructor(limits: PlaceLimits, together: ProcessGroup) {
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
