import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { AddressGuard } from './address-guard.js';
import { GuardedAgent } from './guarded-agent.js';
import { nameServers, type Resolve } from './resolve.js';
import { SendFailed, sendFailedOf } from './send-failed.js';
import { hostOf, targetOf } from './target.js';

export { SendFailed, type SendFailure } from './send-failed.js';

/** From the start of the request to the end of the answer's headers. */
const ANSWER_TIMEOUT_MS = 15_000;
/** From there on. The status is known by then, so nobody has to wait for the rest. */
const BODY_TIMEOUT_MS = 2000;
const MAX_BODY_BYTES = 4096;
const MAX_HEADER_BYTES = 16_384;

export interface GuardedClientOptions {
  readonly guard?: AddressGuard;
  /** `http://` or `https://`, with a name and a password if it wants them. */
  readonly proxyUrl?: string | null;
  readonly resolve?: Resolve;
  readonly ca?: readonly string[];
  readonly answerTimeoutMs?: number;
}

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  /** The header `Retry-After` as it is. */
  readonly retryAfter: string | null;
  /** The first 4096 bytes of the body as they came: nothing is decompressed. */
  readonly body: Buffer;
}

/** Sends requests to addresses that others chose, and connects to none that its guard does not allow. */
export class GuardedClient {
  readonly guard: AddressGuard;
  private readonly agent: GuardedAgent;
  private readonly answerTimeoutMs: number;

  constructor(options: GuardedClientOptions = {}) {
    this.guard = options.guard ?? new AddressGuard();
    this.answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
    this.agent = new GuardedAgent({
      guard: this.guard,
      resolve: options.resolve ?? nameServers(),
      proxy: options.proxyUrl ? new URL(options.proxyUrl) : null,
      ca: options.ca ?? [],
    });
  }

  /**
   * Sends a body by POST and gives the answer, whatever its status: a redirect is an answer and is not followed. Throws
   * `TargetRefused` and `SendFailed`.
   */
  async post(address: string, headers: Headers, body: Buffer, signal?: AbortSignal): Promise<Answer> {
    const url = targetOf(address, this.guard);
    try {
      return await this.send(url, headers, body, signal);
    } catch (error) {
      // The server closed an idle connection while the request was on its way.
      if (error instanceof ClosedMeanwhile) return this.send(url, headers, body, signal);
      throw error;
    }
  }

  private send(url: URL, headers: Headers, body: Buffer, signal?: AbortSignal): Promise<Answer> {
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).request({
        method: 'POST',
        host: hostOf(url),
        port: url.port || (isSecure ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, 'accept-encoding': 'identity', 'content-length': body.length },
        agent: isSecure ? this.agent.secure : this.agent.plain,
        maxHeaderSize: MAX_HEADER_BYTES,
        insecureHTTPParser: false,
      });
      const stop = (): void => void request.destroy(new SendFailed('STOPPED'));
      const timer = setTimeout(() => request.destroy(new SendFailed('TIMED_OUT')), this.answerTimeoutMs);
      let answered = false;
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      };
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) stop();
      request.once('response', answer => {
        answered = true;
        settle();
        const { statusCode: status = 0, headers: of } = answer;
        void beginningOf(answer).then(start => resolve({ status, retryAfter: of['retry-after'] ?? null, body: start }));
      });
      request.on('error', error => {
        // An error in the body ends the body alone.
        if (answered) return;
        settle();
        const closed = request.reusedSocket && CLOSED.has((error as NodeJS.ErrnoException).code ?? '');
        reject(closed ? new ClosedMeanwhile('CONNECTION_FAILED', { cause: error }) : sendFailedOf(error));
      });
      request.end(body);
    });
  }

  /** Closes idle connections, and those of running requests. */
  close(): void {
    this.agent.close();
  }
}

const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

class ClosedMeanwhile extends SendFailed {}

/** Reads the first bytes of a body. Cuts the connection if there are more, or if they do not come in time. */
function beginningOf(answer: IncomingMessage): Promise<Buffer> {
  return new Promise(resolve => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts).subarray(0, MAX_BODY_BYTES));
    };
    const cut = (): void => {
      finish();
      answer.destroy();
    };
    const timer = setTimeout(cut, BODY_TIMEOUT_MS);
    answer.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_BODY_BYTES) cut();
    });
    answer.once('end', finish);
    answer.once('error', finish);
    answer.once('close', finish);
  });
}
