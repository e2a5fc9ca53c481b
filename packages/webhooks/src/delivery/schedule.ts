/** The pauses after attempts that failed: ten attempts in all, the first of them at once. */
export const RETRY_SECONDS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Each pause is up to so much shorter or longer, so that what failed together does not come together again. */
const JITTER = 0.2;
/** The longest pause that a receiver may ask for. */
export const LONGEST_ASKED_MS = 24 * 60 * 60 * 1000;

/**
 * The pause after an attempt that failed, in milliseconds; null if it was the last. `attempts` counts this one. A
 * receiver may ask for a longer pause by `Retry-After`, and not for a shorter one.
 */
export function pauseAfter(
  attempts: number,
  askedMs: number | null,
  retrySeconds: readonly number[] = RETRY_SECONDS,
  random: () => number = Math.random,
): number | null {
  const seconds = retrySeconds[attempts - 1];
  if (seconds === undefined) return null;
  const pauseMs = seconds * 1000 * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(pauseMs, askedMs ?? 0));
}

/**
 * Reads the pause that a header `Retry-After` asks for (RFC 9110, 10.2.3), at most a day; null if it is absent or says
 * nothing.
 */
export function askedPause(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null;
  const text = retryAfter.trim();
  // `Date.parse` would take many other texts for dates.
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  const askedMs = /^\d{1,15}$/.test(text) ? Number(text) * 1000 : isDate ? Date.parse(text) - nowMs : NaN;
  return Number.isNaN(askedMs) ? null : Math.min(Math.max(askedMs, 0), LONGEST_ASKED_MS);
}
