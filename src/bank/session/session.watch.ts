import { SignInRequired, type Refusal } from '../../shared/errors.js';

/**
 * The time after which open streams notice that their session is over: it may end in another process, or by the clock.
 */
const REVIEW_EVERY_MS = 1500;

type SessionEndListener = (reason: Refusal) => void;

/** Tells the open streams of sessions that these are over. */
export class SessionWatch {
  private readonly watchers = new Map<string, Set<SessionEndListener>>();
  private timer: NodeJS.Timeout | null = null;

  /** `openAmong` gives those of the sessions that are not over. */
  constructor(private readonly openAmong: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>) {}

  /** See `SignIn.watch`. */
  watch(sessionId: string, ended: SessionEndListener): () => void {
    const watchers = this.watchers.get(sessionId) ?? new Set();
    this.watchers.set(sessionId, watchers.add(ended));
    this.timer ??= setInterval(() => void this.review(), REVIEW_EVERY_MS).unref();
    return () => {
      watchers.delete(ended);
      if (watchers.size === 0) this.watchers.delete(sessionId);
      if (this.watchers.size === 0) this.stop();
    };
  }

  /** The session is over. */
  tell(sessionId: string): void {
    for (const ended of this.watchers.get(sessionId) ?? []) ended(new SignInRequired());
  }

  private stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** While the database is away the streams stay open, and get nothing. */
  private async review(): Promise<void> {
    const watched = [...this.watchers.keys()];
    const open = await this.openAmong(watched).catch(() => null);
    if (!open) return;
    for (const sessionId of watched) if (!open.has(sessionId)) this.tell(sessionId);
  }
}
