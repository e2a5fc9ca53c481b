/** The number of attempts of one endpoint that run at once if it does well, and at the beginning. */
const MOST_AT_ONCE = 16;
const FIRST_AT_ONCE = 4;
/** An endpoint that fails quickly keeps so many; one that fails otherwise loses half of what it has. */
const FAILING_AT_ONCE = 4;
const QUICK_MS = 1000;
/** Failures in a row after which one attempt at a time shows whether the endpoint is back. */
const DOWN_AFTER = 8;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** An endpoint that asks for more gets an attempt after so long all the same; the delivery that failed waits longer. */
const LONGEST_ASKED_MS = 60 * 60 * 1000;
/** The endpoint, or what stands before it, has more than it can do. */
const ASKS_FOR_LESS: ReadonlySet<number> = new Set([429, 502, 504]);

/** The health of an endpoint, and the number of attempts that it therefore gets at once: one that hangs has few. */
export class Health {
  /** No attempt begins before, in milliseconds since 1970. */
  pausedUntilMs: number;
  private most = FIRST_AT_ONCE;
  private failures = 0;
  private requestsForLess = 0;

  constructor(
    /** Since when every attempt failed, in milliseconds since 1970; null if the last one succeeded. */
    public failingSinceMs: number | null,
    pausedUntilMs: number,
  ) {
    this.pausedUntilMs = pausedUntilMs;
    if (failingSinceMs !== null) this.most = 1;
  }

  /** The number of attempts that may run at once. */
  get atOnce(): number {
    return this.requestsForLess > 0 ? 1 : this.most;
  }

  /** True if the last attempts say that the endpoint does well. */
  get isWell(): boolean {
    return this.failures === 0 && this.most >= FIRST_AT_ONCE;
  }

  succeed(): void {
    this.failingSinceMs = null;
    [this.failures, this.requestsForLess] = [0, 0];
    this.most = Math.min(this.most + 1, MOST_AT_ONCE);
  }

  /** `askedMs` is what the endpoint asked for by `Retry-After`, in milliseconds. */
  fail(startedMs: number, durationMs: number, httpStatus: number | null, askedMs: number | null): void {
    this.failingSinceMs ??= startedMs;
    this.failures += 1;
    const isQuick = httpStatus !== null && durationMs < QUICK_MS;
    this.most = isQuick ? Math.min(this.most, FAILING_AT_ONCE) : Math.max(1, Math.floor(this.most / 2));
    if (this.failures >= DOWN_AFTER) this.most = 1;
    if (httpStatus === null || !ASKS_FOR_LESS.has(httpStatus)) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.requestsForLess, LONGEST_PAUSE_MS);
    this.requestsForLess = Math.min(this.requestsForLess + 1, 16);
    this.pausedUntilMs = Math.max(
      this.pausedUntilMs,
      startedMs + durationMs + Math.max(pauseMs, Math.min(askedMs ?? 0, LONGEST_ASKED_MS)),
    );
  }
}
