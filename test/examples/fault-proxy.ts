import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one request on its way. Only the last three leave the gateway out. */
export type Fault =
  | 'pass'
  // The gateway does what is asked, and its answer is lost: whole, from the middle on, or held back for ever.
  | 'answer lost'
  | 'answer cut'
  | 'answer held'
  // The gateway is sent a token that does not hold.
  | 'token spoilt'
  // The gateway is sent nothing.
  | 'connection reset'
  | 'error page'
  | InjectedRefusal;

export interface InjectedRefusal {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: string;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
  readonly atMs: number;
}

const HTML = { 'content-type': 'text/html' };

/**
 * Stands between a client and the gateway. Writes, which have a key, meet the faults in their order and then pass;
 * everything else passes.
 */
export class FaultProxy {
  /** The writes that came, in order. */
  readonly writes: SeenRequest[] = [];
  private constructor(
    private readonly server: Server,
    private readonly gateway: string,
    private readonly faults: Fault[],
  ) {
    server.on('request', (incoming, outgoing) => void this.answer(incoming, outgoing));
  }

  static async start(gateway: string, faults: readonly Fault[]): Promise<FaultProxy> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new FaultProxy(server, gateway, [...faults]);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await whole(incoming);
    const { method = '', url: path = '' } = incoming;
    const isWrite = incoming.headers['x-idempotency-key'] !== undefined;
    const fault = isWrite ? (this.faults.shift() ?? 'pass') : 'pass';
    if (isWrite) {
      const key = incoming.headers['x-idempotency-key'] as string | undefined;
      this.writes.push({ method, path, key, body: body.toString(), atMs: Date.now() });
    }
    if (fault === 'connection reset') outgoing.destroy();
    else if (fault === 'error page') outgoing.writeHead(502, HTML).end('<h1>Bad gateway</h1>');
    else if (typeof fault === 'object') refuse(outgoing, path, fault);
    else await this.pass(incoming, body, outgoing, fault);
  }

  private async pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, fault: Fault): Promise<void> {
    const headers = { ...incoming.headers, host: new URL(this.gateway).host };
    if (fault === 'token spoilt') headers.authorization = `${headers.authorization}x`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${this.gateway}${incoming.url}`, { method: incoming.method, headers, agent: false }, resolve)
        .on('error', reject)
        .end(body);
    });
    const received = await whole(answer);
    if (fault === 'answer held') return;
    if (fault === 'answer lost') outgoing.destroy();
    else if (fault === 'answer cut') {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      outgoing.write(received.subarray(0, received.length / 2), () => outgoing.destroy());
    } else outgoing.writeHead(answer.statusCode ?? 0, answer.headers).end(received);
  }
}

/** As the gateway would refuse at this path. */
function refuse(outgoing: ServerResponse, path: string, { status, code, retryAfter }: InjectedRefusal): void {
  const isGraphql = path === '/graphql';
  const problem = { type: `/problems#${code}`, title: '', status, detail: 'Not now.', code };
  const body = JSON.stringify(
    isGraphql ? { errors: [{ message: 'Not now.', extensions: { code: code.toUpperCase() } }] } : problem,
  );
  const type = isGraphql ? 'graphql-response+json' : 'problem+json';
  outgoing.writeHead(status, {
    'content-type': `application/${type}; charset=utf-8`,
    ...(retryAfter && { 'retry-after': retryAfter }),
  });
  outgoing.end(body);
}

async function whole(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
