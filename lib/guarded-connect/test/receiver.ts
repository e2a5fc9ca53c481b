import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that nobody has signed, for `receiver.test`, `localhost` and `127.0.0.1`. */
export const certificate: Certificate = { cert: textOf('receiver.cert.pem'), key: textOf('receiver.key.pem') };

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

export interface ReceivedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server on the loopback that keeps what it gets, and answers as it is told. */
export class Receiver {
  readonly received: ReceivedRequest[] = [];
  readonly sockets = new Set<Socket>();
  /** The number of connections that were made. */
  connections = 0;

  private constructor(private readonly server: http.Server | https.Server) {
    // With `https` this counts the connection below TLS.
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(
    answer: (response: ServerResponse, received: ReceivedRequest, request: IncomingMessage) => void,
    { certificate: tls = null, port = 0 }: { certificate?: Certificate | null; port?: number } = {},
  ): Promise<Receiver> {
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { url = '', headers, rawHeaders } = request;
        const received = { url, headers, rawHeaders, body: Buffer.concat(parts).toString() };
        receiver.received.push(received);
        answer(response, received, request);
      });
    };
    const receiver = new Receiver(tls ? https.createServer(tls, handle) : http.createServer(handle));
    await new Promise<void>(resolve => receiver.server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }
}
