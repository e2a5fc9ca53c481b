import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

/** A collector that takes OTLP over HTTP, in JSON, and keeps what it is sent. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** Every body, word by word. */
  readonly bodies: string[] = [];
  /** What the senders say of themselves, each once. */
  readonly resources: Record<string, unknown>[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') this.take(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>(resolve => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get endpoint(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  ofTrace(traceId: string): CollectedSpan[] {
    return this.spans.filter(span => span.traceId === traceId);
  }

  stop(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise(resolve => this.server.close(resolve));
  }

  private take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const told = attributesOf(resource.attributes);
      if (!this.resources.some(known => isDeepStrictEqual(known, told))) this.resources.push(told);
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          const { traceId, spanId, parentSpanId = '', name, kind, links = [], status } = span;
          this.spans.push({
            traceId,
            spanId,
            parentSpanId,
            name,
            kind,
            links,
            status,
            attributes: attributesOf(span.attributes),
          });
        }
      }
    }
  }
}

function attributesOf(list: readonly { key: string; value: object }[] = []): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, valueOf(value)]));
}

/** A value stands under the name of its type; a list's values each under theirs. */
function valueOf(typed: object): unknown {
  return 'arrayValue' in typed
    ? (typed.arrayValue as { values: object[] }).values.map(valueOf)
    : (Object.values(typed)[0] as unknown);
}
