import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { HttpClient } from '../../support/http.js';
import { ReceiptTally } from './writers.js';

const RECORDED = `subscription ($after: String) { eventRecorded(after: $after) { cursor node: event { id: eventId data: payload } } }`;
const PAUSE_MS = 100;

interface WebhookEventBody {
  readonly id: string;
  readonly data: { readonly accountId: string; readonly sequence: number };
}

/** The gateways that a reader may ask. One that is away is asked again later. */
export interface Gateways {
  readonly gateways: readonly { readonly http: HttpClient }[];
  readonly token: string;
  readonly ended: AbortSignal;
}

export interface Reader {
  readonly name: string;
  readonly received: ReceiptTally;
  /** Whether the same event may come again. */
  readonly mayDouble: boolean;
  /** Resolves when it has ended. */
  readonly reading: Promise<void>;
}

/** Follows the feed with a cursor, at one gateway or, when it is away, at the other. */
export function feedReader(to: Gateways, first: number): Reader {
  const received = new ReceiptTally();
  let path = '/events?limit=100&wait=5';
  const reading = anywhere(to, first, async http => {
    const answer = await http.send({ path, headers: { authorization: `Bearer ${to.token}` } });
    if (answer.status !== 200) throw new Error(`the feed answered ${answer.status}`);
    for (const event of answer.body.events) add(received, event);
    path = answer.body.links.next.href;
  });
  return { name: `feed ${first}`, received, mayDouble: false, reading };
}

/**
 * Subscribes over a WebSocket to what is committed once this resolves, and subscribes again behind the last item
 * whenever that ends.
 */
export async function subscriptionReader(to: Gateways, first: number): Promise<Reader> {
  const received = new ReceiptTally();
  const headers = { authorization: `Bearer ${to.token}`, 'content-type': 'application/json' };
  const asked = { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query: '{ feedCursor }' }) };
  let after: string | undefined = (await to.gateways[first]?.http.send(asked))?.body.data.feedCursor;
  const reading = anywhere(to, first, async http => {
    const client = createClient({
      url: `${http.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${to.token}` },
    });
    const end = (): void => void client.dispose();
    to.ended.addEventListener('abort', end, { once: true });
    try {
      const items = client.iterate<{ eventRecorded: { cursor: string; node: WebhookEventBody } }>({
        query: RECORDED,
        variables: { after },
      });
      for await (const { data, errors } of items) {
        if (errors || !data) throw new Error('an item came with errors');
        add(received, data.eventRecorded.node);
        after = data.eventRecorded.cursor;
      }
    } finally {
      to.ended.removeEventListener('abort', end);
      await client.dispose();
    }
  });
  return { name: 'subscription', received, mayDouble: false, reading };
}

/** Receives what is delivered to an endpoint. */
export async function webhookReader(ended: AbortSignal): Promise<Reader & { readonly url: string }> {
  const received = new ReceiptTally();
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as WebhookEventBody;
      add(received, { id: String(request.headers['webhook-id']), data });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const reading = new Promise<void>(resolve => {
    server.once('close', resolve);
    ended.addEventListener('abort', () => {
      server.close();
      server.closeAllConnections();
    });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { name: 'webhook', received, mayDouble: true, reading, url };
}

function add(received: ReceiptTally, { id, data }: WebhookEventBody): void {
  received.add(id, data.accountId, data.sequence);
}

async function anywhere({ gateways, ended }: Gateways, first: number, read: (http: HttpClient) => Promise<void>) {
  let at = first;
  while (!ended.aborted) {
    try {
      await read((gateways[at % gateways.length] as { http: HttpClient }).http);
    } catch {
      at += 1;
      await sleep(PAUSE_MS);
    }
  }
}
