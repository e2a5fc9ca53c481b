import type { PlacedItem } from '../../../../lib/collections/in-progress.js';
import type { Caller } from '../../../shared/caller.js';
import { TokenExpired, type Refusal } from '../../../shared/errors.js';
import type { TokenUse } from '../../auth/token-standing.js';
import { SubscriberTooSlow } from './refusals.js';

/**
 * The pause after which something is sent on a quiet connection: shorter than that of proxies and the server, which
 * close silent connections.
 */
const HEARTBEAT_MS = 15_000;
/** The time for which a client may leave what was sent unread. */
const SLOW_MS = 10_000;
/** The time that a connection may take to close. */
const CLOSING_MS = 3000;

/** A connection that carries subscriptions. One timer of the process looks after all of them: see `tick`. */
export abstract class Connection implements PlacedItem {
  place = 0;
  /** Since when the client has left too much unread; null while it reads. By `performance.now()`. */
  protected stalledSinceMs: number | null = null;
  private beatAtMs = performance.now() + HEARTBEAT_MS;
  private closeByMs: number | null = null;

  constructor(
    /** The token of the caller of its subscriptions; null until it is known. */
    public tokenUse: (TokenUse & { readonly identity: Caller }) | null = null,
  ) {}

  tick(nowMs: number, epochMs: number): void {
    if (this.closeByMs !== null) {
      if (nowMs >= this.closeByMs) this.destroy();
    } else if (this.tokenUse && epochMs >= this.tokenUse.identity.expiresAtMs) this.end(new TokenExpired());
    else if (this.stalledSinceMs !== null && nowMs - this.stalledSinceMs >= SLOW_MS) this.end(new SubscriberTooSlow());
    else if (nowMs >= this.beatAtMs) {
      this.beatAtMs = nowMs + HEARTBEAT_MS;
      this.beat();
    }
  }

  /** Ends the subscriptions, says why, and closes the connection. */
  end(refusal: Refusal): void {
    if (this.closeByMs !== null) return;
    this.closeByMs = performance.now() + CLOSING_MS;
    this.close(refusal);
  }

  /** Sends something that means nothing. */
  protected abstract beat(): void;
  protected abstract close(refusal: Refusal): void;
  /** Closes the connection at once. */
  abstract destroy(): void;
}
