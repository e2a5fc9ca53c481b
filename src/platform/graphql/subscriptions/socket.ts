import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Caller } from '../../../shared/caller.js';
import type { Refusal, RefusalKind } from '../../../shared/errors.js';
import { graphqlCode } from '../../../shared/problems.js';
import type { Exchange } from '../../http/exchange.js';
import { Connection } from './connection.js';
import { SubscriberTooSlow } from './refusals.js';
import { Subscription } from './subscription.js';

/** From so many bytes that the client has not read its subscriptions wait, and it counts as slow. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** A client that makes so much answer, with pings for example, and reads nothing is cut off. */
const MOST_BUFFERED_BYTES = 4 * MAX_BUFFERED_BYTES;
/** The time that the messages that end subscriptions have before the connection closes. */
const LAST_WORDS_MS = 100;

/** Codes of RFC 6455 after which clients try again, and of graphql-transport-ws. */
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;
const CODES: Partial<Record<RefusalKind, number>> = {
  unauthenticated: CloseCode.Forbidden,
  too_many_requests: TRY_AGAIN_LATER,
  unavailable: SERVICE_RESTART,
};

/** A WebSocket with any number of subscriptions. */
export class SubscriptionSocket extends Connection {
  /** By the ids that the client has given them. */
  private subscriptions: Readonly<Record<string, unknown>> = {};
  private isAlive = true;
  private isEnding = false;
  /** Messages that wait until they are sent. */
  private readonly waiting = new Set<() => void>();
  /** Gives back its place among the sockets of its client. */
  private giveBack: (() => void) | null = null;

  constructor(
    private readonly socket: WebSocket,
    /** The request that opened it. */
    readonly upgrade: Exchange,
  ) {
    super();
    socket.on('pong', () => (this.isAlive = true));
  }

  get isClosed(): boolean {
    return this.socket.readyState !== this.socket.OPEN;
  }

  /** The caller of all subscriptions. The connection ends with the caller's token. */
  authenticated(caller: Caller, subscriptions: Readonly<Record<string, unknown>>, giveBack: () => void): void {
    this.subscriptions = subscriptions;
    this.tokenUse = { authorization: this.upgrade.authorization, identity: caller };
    if (this.isClosed) giveBack();
    else this.giveBack = giveBack;
  }

  closed(): void {
    this.giveBack?.();
  }

  /** Sends a message. Waits while the client has much to read. */
  async send(message: string): Promise<void> {
    const { socket } = this;
    if (this.isClosed) return;
    if (socket.bufferedAmount <= MAX_BUFFERED_BYTES || this.isEnding) {
      socket.send(message);
      return;
    }
    this.stalledSinceMs ??= performance.now();
    await new Promise<void>(resolve => {
      this.waiting.add(resolve);
      socket.send(message, () => {
        this.waiting.delete(resolve);
        resolve();
      });
    });
    if (socket.bufferedAmount <= MAX_BUFFERED_BYTES) this.stalledSinceMs = null;
  }

  /** Cuts off a client that sends and does not read. */
  received(): void {
    if (this.socket.bufferedAmount > MOST_BUFFERED_BYTES) this.destroy();
  }

  destroy(): void {
    this.socket.terminate();
  }

  protected beat(): void {
    if (!this.isAlive) return this.destroy();
    this.isAlive = false;
    this.socket.ping();
  }

  protected close(refusal: Refusal): void {
    this.isEnding = true;
    for (const wake of this.waiting) wake();
    const isSlow = refusal instanceof SubscriberTooSlow;
    // A code by which clients connect again; the errors of its subscriptions would end those for good.
    if (!isSlow) this.socket.close(CODES[refusal.kind] ?? CloseCode.InternalServerError, graphqlCode(refusal.code));
    for (const subscription of Object.values(this.subscriptions)) {
      if (subscription instanceof Subscription) subscription.end(refusal);
    }
    if (isSlow) setTimeout(() => this.socket.close(TRY_AGAIN_LATER, graphqlCode(refusal.code)), LAST_WORDS_MS);
  }
}
