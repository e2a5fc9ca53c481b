import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** The body of an answer for which a test names no shape: its expectations alone say what there must be. */
// oxlint-disable-next-line typescript/no-explicit-any -- Most tests hand whole answers to `toEqual`; a shape for each would say the same twice.
export type AnyBody = any;

export interface Answer<Body = AnyBody> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body where the content type is JSON of some kind and it is not compressed, else the text. */
  readonly body: Body;
}

export interface HttpRequest {
  readonly method?: string;
  /** As it goes over the wire: nothing is encoded or resolved. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  /** Anything but a text or bytes is sent as JSON. */
  readonly body?: unknown;
  /** Sends the body in chunks, without a length. */
  readonly chunked?: boolean;
}

/** Looks at what was asked and answered. What it throws fails the test that asked. */
export type Watcher = (asking: HttpRequest, answer: Answer) => void | Promise<void>;

/** Real HTTP to one gateway, over connections that stay open between requests. */
export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true });
  constructor(
    readonly url: string,
    private readonly watch: Watcher,
    /** What is known about an answer that was cut. */
    private readonly known: () => string = () => '',
  ) {}

  async send(asking: HttpRequest): Promise<Answer> {
    const answer = await this.answered(asking);
    await this.watch(asking, answer);
    return answer;
  }

  /**
   * The gateway may refuse a body and close the connection before all of it was sent. The answer can be lost then, and
   * is asked for again.
   */
  private async answered(asking: HttpRequest, tries = 5): Promise<Answer> {
    try {
      return await this.exchange(asking);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE' || tries === 1) throw error;
      return this.answered(asking, tries - 1);
    }
  }

  private exchange({ method = 'GET', path, headers = {}, body, chunked = false }: HttpRequest): Promise<Answer> {
    const bytes = bytesOf(body);
    return new Promise((resolve, reject) => {
      let answered = false;
      const { hostname, port } = new URL(this.url);
      const outgoing = request({
        hostname,
        port,
        path,
        method,
        headers: headers as OutgoingHttpHeaders,
        agent: this.agent,
      });
      // An answer may come, and the connection end, before the whole request is sent.
      outgoing.on('error', error => !answered && reject(error));
      outgoing.on('response', incoming => {
        answered = true;
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', error => reject(new Error(`the answer was cut: ${error.message} ${this.known()}`)));
        incoming.on('end', () => {
          resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks)));
        });
      });
      if (bytes && chunked) {
        const half = Math.ceil(bytes.length / 2);
        outgoing.write(bytes.subarray(0, half));
        outgoing.end(bytes.subarray(half));
      } else {
        if (bytes && !Array.isArray(headers)) outgoing.setHeader('content-length', bytes.length);
        outgoing.end(bytes);
      }
    });
  }

  /**
   * Sends bytes as they are over a connection of their own and gives all that comes back until it closes. With `end`,
   * no more will come.
   */
  sendBytes(bytes: string | Buffer, { end = false } = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.url);
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), hostname, () => (end ? socket.end(bytes) : socket.write(bytes)));
      socket.on('data', chunk => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** An answer of these bytes. */
export function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString('utf8');
  const body = headers['content-encoding'] ? text : parsed(text, headers['content-type']);
  return { status, headers, text, bytes, body };
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string, type: string | undefined): unknown {
  if (!/[/+]json\b/.test(type ?? '') || text === '') return text;
  return JSON.parse(text);
}
