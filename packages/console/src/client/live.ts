import { useEffect, useRef } from 'preact/hooks';
import { post, tellSignedOut, type Operation } from './graphql.js';
import { notePosition } from './position.js';
import { isAbort, isSignedOut, type GraphqlError } from './problem.js';

interface Item<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly position?: string };
}

interface End {
  readonly isFinal: boolean;
  readonly cursor?: string | undefined;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** The gateway sends a sign of life every 15 s: a connection without one for longer is lost. */
const SILENCE_MS = 45_000;
/** One item is never as long as this. */
const MAX_PENDING_CHARACTERS = 1_000_000;
/** These ends stay as they are: the caller may not see it any more, or asked wrongly. */
const FINAL = new Set(['ACCOUNT_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_INPUT', 'RULE_BROKEN']);

/**
 * Follows a subscription for as long as the screen is there and visible, and goes on after the last item when it is cut
 * off or shown again. `cursorOf` says where an item stands. `null` in place of variables follows nothing.
 */
export function useLive<Result, Variables extends { readonly after?: string | null | undefined }>(
  operation: Operation<Result, Variables>,
  variables: Variables | null,
  cursorOf: (result: Result) => string | undefined,
  onItem: (result: Result) => void,
): void {
  const latest = useRef(onItem);
  latest.current = onItem;
  useEffect(() => {
    if (variables === null) return;
    let after = variables.after ?? null;
    let stop: AbortController | undefined;
    const follow = async (signal: AbortSignal): Promise<void> => {
      for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
        const end = await readStream(operation, { ...variables, after }, signal, item => {
          pause = FIRST_PAUSE_MS;
          after = cursorOf(item) ?? after;
          latest.current(item);
        });
        after = end.cursor ?? after;
        if (end.isFinal) return;
        await pauseFor(pause * (0.5 + Math.random() / 2), signal);
      }
    };
    const followWhileShown = (): void => {
      stop?.abort();
      if (document.hidden) return;
      stop = new AbortController();
      void follow(stop.signal);
    };
    followWhileShown();
    document.addEventListener('visibilitychange', followWhileShown);
    return () => {
      document.removeEventListener('visibilitychange', followWhileShown);
      stop?.abort();
    };
  }, [operation, JSON.stringify(variables)]);
}

async function readStream<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  stop: AbortSignal,
  onItem: (item: Result) => void,
): Promise<End> {
  const silence = new AbortController();
  const signal = AbortSignal.any([stop, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await post(operation, variables, { headers: { accept: 'text/event-stream' }, signal });
    if (response.status === 401) tellSignedOut();
    if (!response.ok || !response.body) return { isFinal: response.status >= 400 && response.status < 429 };
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let pending = ''; pending.length < MAX_PENDING_CHARACTERS;) {
      const { value, done } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const messages = (pending + value).split(/\r?\n\r?\n/);
      pending = messages.pop() ?? '';
      for (const message of messages) {
        const end = endAfter<Result>(message, onItem);
        if (end) return end;
      }
    }
    return { isFinal: false };
  } catch (error) {
    // A lost connection is taken up again; one that was stopped is over.
    return { isFinal: isAbort(error) && stop.aborted };
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Deals with one event of the GraphQL over SSE protocol: `next` with a result, or `complete`. */
function endAfter<Result>(message: string, onItem: (item: Result) => void): End | null {
  const field = (name: string): string => new RegExp(`^${name}: ?(.*)$`, 'm').exec(message)?.[1] ?? '';
  if (field('event') === 'complete') return { isFinal: false };
  if (field('event') !== 'next') return null;
  const { data, errors, extensions } = JSON.parse(field('data')) as Item<Result>;
  notePosition(extensions?.position);
  if (data) onItem(data);
  if (data || !errors) return null;
  const { code = '', cursor } = errors[0]?.extensions ?? {};
  if (isSignedOut(code)) tellSignedOut();
  return { isFinal: FINAL.has(code) || isSignedOut(code), cursor };
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
