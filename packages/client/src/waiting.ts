/** Timers of JavaScript hold 31 bits of milliseconds, and fire at once for more than that. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Throws a `TypeError` for a time that no timer can wait, such as NaN, a text, zero or Infinity: it would be no limit,
 * or end each call at once.
 */
export function requireTime(name: string, ms: unknown): void {
  if (ms === undefined || (typeof ms === 'number' && ms > 0 && ms <= MAX_TIMER_MS)) return;
  throw new TypeError(`${name} must be a number above 0 and at most ${MAX_TIMER_MS}.`);
}

// AbortSignal.any and AbortSignal.timeout are not in React Native.

/** Aborts when one of the signals does, or after the time. `done` lets go of both; it must be called. */
export function limited(
  ms: number,
  ...signals: readonly (AbortSignal | undefined)[]
): { readonly signal: AbortSignal; restart(): void; done(): void } {
  const controller = new AbortController();
  const expire = (): void => controller.abort(new Error(`There was no answer within ${ms} ms.`));
  let timer = setTimeout(expire, ms);
  const stops = signals.map(signal => {
    const stop = (): void => controller.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    return () => signal?.removeEventListener('abort', stop);
  });
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(expire, ms);
    },
    done() {
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}

/** Resolves after the time, at most 24 days, and rejects as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', stop);
  });
}

/**
 * Until one of the two is there. A caller who has left does not wait for a token any longer, which others still wait
 * for.
 */
export async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(reasonOf(signal));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export function throwIfAborted(signal?: AbortSignal): void {
  if (signal?.aborted) throw reasonOf(signal);
}

/** React Native's signals have no reason. */
function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : Object.assign(new Error('The call was aborted.'), { name: 'AbortError' });
}
