import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: object | Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Where the requests of a client come from, so that its address is not that of the proxy, which is 127.0.0.1. */
export const CLIENT_ADDRESS = '127.0.0.2';

/** A client of a proxy, over TLS and connections that stay open. */
export class ProxyClient {
  private readonly agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  constructor(
    private readonly port: number,
    private readonly token: string,
  ) {}

  ask({ method = 'GET', path, headers = {}, body }: HttpRequest): Promise<HttpAnswer> {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.port,
        localAddress: CLIENT_ADDRESS,
        agent: this.agent,
        method,
        path,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(bytes && {
            'content-type': 'application/json',
            'content-length': bytes.length,
          }),
          ...headers,
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', answer => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      outgoing.end(bytes);
    });
  }

  graphql(query: string, variables: object, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.ask({ method: 'POST', path: '/graphql', headers, body: { query, variables } });
  }

  /** A GET over HTTP/2. Gives the status. */
  async http2(path: string): Promise<number> {
    const session = connectHttp2(`https://127.0.0.1:${this.port}`, { rejectUnauthorized: false });
    try {
      return await new Promise<number>((resolve, reject) => {
        session.on('error', reject);
        const stream = session.request({ ':path': path, authorization: `Bearer ${this.token}` });
        stream.on('error', reject);
        stream.on('response', headers => resolve(Number(headers[':status'])));
        stream.resume();
      });
    } finally {
      session.close();
    }
  }

  close(): void {
    this.agent.destroy();
  }
}

export function json({ bytes }: HttpAnswer): Record<string, unknown> {
  return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
}
