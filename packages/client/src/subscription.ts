import type { TillgateError } from './errors.js';
import { foreign, refusalIn, refusalOf, type GraphqlError } from './refusals.js';
import { isPassing, pauseMs, retryAfterMs } from './retries.js';
import { isOfGateway, type Transport } from './transport.js';
import { limited, sleep, throwIfAborted } from './waiting.js';

export interface SubscribeOptions {
  readonly signal?: AbortSignal | undefined;
  /** The cursor of the last item that was dealt with: what came after it comes first. From now on if absent. */
  readonly after?: string | undefined;
}

interface Payload<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

interface End {
  readonly error: TillgateError;
  readonly askedMs?: number;
}

/** The gateway sends a sign of life every 15 s: a connection without one for longer is lost. */
const SILENCE_MS = 45_000;
const LONGEST_PAUSE_MS = 30_000;
/** Some minutes without any connection. */
const MAX_ATTEMPTS = 25;
/** One item is never as long as this. */
const MAX_PENDING_CHARACTERS = 4_000_000;
/** Ends that a new connection makes good, besides those that pass: one with a new token, and one that reads faster. */
const RESUMED = new Set(['unauthenticated', 'subscriber_too_slow']);

class NoCursor extends TypeError {
  constructor() {
    super('A subscription resumes by cursors: select `cursor`, and give the variable `$after` to the field.');
  }
}

/**
 * Follows a subscription, and goes on after the last item when the connection is lost or the gateway ends it, so that
 * nothing is missed and nothing comes twice. Throws a `TillgateError` when it cannot go on.
 */
export class Subscription<Result> {
  private failures = 0;

  constructor(
    private readonly transport: Transport,
    private readonly query: string,
    private readonly variables: object,
    private cursor: string,
    private readonly signal: AbortSignal | undefined,
  ) {
    if (!/\$after\b/.test(query)) throw new NoCursor();
  }

  async *items(): AsyncGenerator<Result, void, undefined> {
    for (;;) {
      const { error, askedMs = 0 } = yield* this.connection();
      throwIfAborted(this.signal);
      const isOver = !isPassing(error) && !RESUMED.has(error.code);
      if (isOver || (error.code === 'unauthenticated' && !(await this.transport.renew()))) throw error;
      if (++this.failures >= MAX_ATTEMPTS) throw error;
      await sleep(pauseMs(this.failures, askedMs, LONGEST_PAUSE_MS), this.signal);
    }
  }

  /** The items of one connection, and why it ended. */
  private async *connection(): AsyncGenerator<Result, End, undefined> {
    const closing = new AbortController();
    const limit = limited(SILENCE_MS, this.signal, closing.signal);
    try {
      const response = await this.transport.open(this.asked(), limit.signal);
      if (!response.ok || isOfGateway(response.headers)) return await refused(response);
      for await (const { data, errors } of payloads<Result>(response, () => limit.restart())) {
        if (data) {
          this.cursor = cursorIn(data);
          this.failures = 0;
          yield data;
        } else if (errors?.[0]) {
          const error = refusalOf(errors[0], response.status);
          const { cursor, retryAfterSeconds } = error.details;
          if (typeof cursor === 'string') this.cursor = cursor;
          return { error, askedMs: typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 0 };
        }
      }
      return { error: foreign(0, undefined) };
    } catch (cause) {
      if (cause instanceof NoCursor) throw cause;
      return { error: foreign(0, undefined, cause) };
    } finally {
      // The reader of the items may have left.
      closing.abort();
      limit.done();
    }
  }

  private asked() {
    return {
      method: 'POST',
      path: '/graphql',
      headers: { accept: 'text/event-stream' },
      body: JSON.stringify({ query: this.query, variables: { ...this.variables, after: this.cursor } }),
    };
  }
}

async function refused(response: Response): Promise<End> {
  const { status, headers } = response;
  const isOurs = isOfGateway(headers);
  const body: unknown = isOurs ? await response.json() : undefined;
  const error = (isOurs && refusalIn(status, body, undefined)) || foreign(status, undefined);
  return { error, askedMs: retryAfterMs(headers) };
}

/** The results that a stream of the GraphQL over SSE protocol brings. `alive` is called whenever something comes. */
async function* payloads<Result>(
  response: Response,
  alive: () => void,
): AsyncGenerator<Payload<Result>, void, undefined> {
  if (!response.body) throw new TypeError('This fetch cannot read streams: give another one as `fetch`.');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (let pending = ''; pending.length < MAX_PENDING_CHARACTERS;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    const messages = (pending + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
    pending = messages.pop() ?? '';
    for (const message of messages) {
      if (/^event: ?complete$/m.test(message)) return;
      const [, data] = /^data: ?(.+)$/m.exec(message) ?? [];
      if (data !== undefined) yield JSON.parse(data) as Payload<Result>;
    }
  }
}

function cursorIn(data: object): string {
  for (const field of Object.values(data) as readonly ({ readonly cursor?: unknown } | null)[]) {
    if (typeof field?.cursor === 'string') return field.cursor;
  }
  throw new NoCursor();
}
