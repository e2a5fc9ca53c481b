import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { createClient, type Client, type ClientOptions } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { TestGateway } from '../../../support/gateway.js';
import type { AnyBody } from '../../../support/http.js';
import { until } from '../../../support/until.js';

export const POSTED = `subscription Posted($account: ID!, $after: String) {
  transactionPosted(accountId: $account, after: $after) { cursor transaction { transactionId amount } }
}`;
export const CHANGED = `subscription Changed($account: ID!, $after: String) {
  accountChanged(accountId: $account, after: $after) { cursor node: event { id: eventId type data: payload } account { accountId availableBalance } }
}`;
export const RECORDED = `subscription Recorded($filter: RecordedEventFilter, $after: String) {
  eventRecorded(filter: $filter, after: $after) { cursor node: event { id: eventId type data: payload } }
}`;
export const MULTIPART = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json';

export interface Operation {
  readonly query: string;
  readonly variables?: object;
  readonly extensions?: object;
}

/** What a client has got so far. */
export interface SubscriptionLog {
  /** Payloads: results, in their order. */
  readonly results: AnyBody[];
  /** The errors that ended it. */
  errors: AnyBody[] | null;
  /** Whether the gateway ended it. */
  isOver: boolean;
}

/** The fields of the results that a client has got. */
export function itemsOf({ results }: Pick<SubscriptionLog, 'results'>): AnyBody[] {
  return results.flatMap(({ data }) => Object.values(data ?? {}));
}

export function transactionIds(heard: Pick<SubscriptionLog, 'results'>): string[] {
  return itemsOf(heard).map(({ transaction }) => transaction.transactionId);
}

/** The operation as a GET has it. */
function addressOf(operation: Operation): string {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(operation)) {
    address.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return address.toString();
}

/** Where it listens: `http://…`, or `https://…` with whatever certificate. */
type GatewayAddress = Pick<TestGateway, 'url'>;

class UncheckedSocket extends WebSocket {
  constructor(url: string, protocols: string) {
    super(url, protocols, { rejectUnauthorized: false });
  }
}

/** A subscription as the answer to a POST, read as it comes. */
export class Stream implements SubscriptionLog {
  readonly results: AnyBody[] = [];
  errors: AnyBody[] | null = null;
  isOver = false;
  heartbeats = 0;
  text = '';
  private constructor(
    private readonly outgoing: ClientRequest,
    readonly incoming: IncomingMessage,
  ) {}

  /** Resolves with the headers of the answer. */
  static async open(
    { url }: GatewayAddress,
    caller: string,
    operation: Operation,
    { accept = MULTIPART, method = 'POST' }: { accept?: string; method?: 'GET' | 'POST' } = {},
  ): Promise<Stream> {
    const isPost = method === 'POST';
    const headers = {
      authorization: `Bearer ${caller}`,
      accept,
      ...(isPost && { 'content-type': 'application/json' }),
    };
    const order = { method, headers, agent: false, rejectUnauthorized: false } as const;
    const path = isPost ? '/graphql' : `/graphql?${addressOf(operation)}`;
    const outgoing = (url.startsWith('https') ? requestTls : request)(`${url}${path}`, order);
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      outgoing.once('response', resolve).once('error', reject),
    );
    outgoing.end(isPost ? JSON.stringify(operation) : undefined);
    const stream = new Stream(outgoing, await answered);
    outgoing.on('error', () => undefined);
    stream.incoming.on('error', () => undefined);
    stream.incoming.on('data', (chunk: Buffer) => stream.read(chunk.toString()));
    stream.incoming.once('close', () => (stream.isOver = true));
    return stream;
  }

  get status(): number {
    return this.incoming.statusCode ?? 0;
  }

  /** The JSON of an answer that is no stream. */
  async whole(): Promise<AnyBody> {
    await until(() => this.isOver);
    return JSON.parse(this.text);
  }

  /** Leaves what comes from now on unread. */
  pause(): void {
    this.incoming.pause();
  }

  resume(): void {
    this.incoming.resume();
  }

  close(): void {
    this.outgoing.destroy();
  }

  private read(chunk: string): void {
    this.text += chunk;
    if (!this.incoming.headers['content-type']?.startsWith('multipart/mixed')) return;
    for (;;) {
      const end = this.text.indexOf('\r\n--graphql');
      if (end < 0) return;
      const [, body = ''] = this.text.slice(0, end).split('\r\n\r\n');
      this.text = this.text.slice(end + '\r\n--graphql'.length);
      if (body !== '') this.take(JSON.parse(body));
    }
  }

  private take(part: AnyBody): void {
    if (Object.keys(part).length === 0) this.heartbeats += 1;
    else if (part.payload === null) this.errors = part.errors ?? [];
    else this.results.push(part.payload);
  }
}

/** A client of the protocol graphql-transport-ws, which does not connect again by itself. */
export function socketClient(
  { url }: GatewayAddress,
  caller: string | null,
  options: Partial<ClientOptions> = {},
): Client {
  return createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: UncheckedSocket,
    retryAttempts: 0,
    ...(caller !== null && { connectionParams: { authorization: `Bearer ${caller}` } }),
    ...options,
  });
}

/** A subscription of such a client. `errors` are the messages of the protocol, or the event that closed the socket. */
export interface SubscriptionClient extends SubscriptionLog {
  closed: { readonly code: number; readonly reason: string } | null;
  stop(): void;
}

export function listen(client: Client, operation: Operation): SubscriptionClient {
  const heard: SubscriptionClient = { results: [], errors: null, isOver: false, closed: null, stop: () => undefined };
  heard.stop = client.subscribe(operation as { query: string }, {
    next: result => heard.results.push(result),
    error: (error: AnyBody) => {
      if (Array.isArray(error)) heard.errors = error;
      else heard.closed = { code: error.code, reason: error.reason };
      heard.isOver = true;
    },
    complete: () => (heard.isOver = true),
  });
  return heard;
}

/** Resolves once the gateway has so many open subscriptions. */
export function subscriptions(gateway: TestGateway, open: number): Promise<void> {
  return until(async () => (await gateway.openSubscriptions()) === open);
}
