import http from 'node:http';
import https from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { AddressGuard } from './address-guard.js';
import { guardedLookup, type Resolve } from './resolve.js';
import { SendFailed, sendFailedOf } from './send-failed.js';

const CONNECT_TIMEOUT_MS = 5000;
/** Less than the five seconds after which many servers close a connection. */
const IDLE_TIMEOUT_MS = 4000;
const MAX_IDLE_OF_ORIGIN = 16;
const MAX_IDLE = 256;

export interface GuardedAgentOptions {
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  /** A proxy that connects in our place; it resolves the names, so it has to vet what they lead to. */
  readonly proxy: URL | null;
  /** Certificates that are trusted besides those of Node, in PEM. */
  readonly ca: readonly string[];
}

type SocketCallback = (error: Error | null, socket?: Duplex) => void;
type Target = https.RequestOptions & { readonly host: string; readonly port: number };

/** The connections of https, and of http to this machine: each is vetted when it is made, and kept for a while. */
export class GuardedAgent {
  readonly secure: https.Agent;
  readonly plain: http.Agent;

  constructor(private readonly options: GuardedAgentOptions) {
    const pool = {
      keepAlive: true,
      scheduling: 'lifo',
      timeout: IDLE_TIMEOUT_MS,
      maxFreeSockets: MAX_IDLE_OF_ORIGIN,
    } as const;
    this.secure = this.guarded(new https.Agent(pool), target => this.openSecure(target));
    this.plain = this.guarded(new http.Agent(pool), target => this.openPlain(target, 'loopback'));
  }

  close(): void {
    this.secure.destroy();
    this.plain.destroy();
  }

  private guarded<Agent extends http.Agent>(agent: Agent, open: (target: Target) => Promise<Socket>): Agent {
    const create = (target: Target, created: SocketCallback): undefined => {
      open(target).then(
        socket => created(null, socket),
        (error: unknown) => created(sendFailedOf(error)),
      );
    };
    const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
    const keepSocketAlive = (socket: Duplex): boolean => {
      const idle = Object.values(agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
      return idle < MAX_IDLE && keep(socket);
    };
    return Object.assign(agent, { createConnection: create, keepSocketAlive });
  }

  private async openSecure(target: Target): Promise<Socket> {
    const { proxy, ca } = this.options;
    return inTime(async signal => {
      const socket = proxy
        ? await this.openThroughProxy(proxy, target, signal)
        : await this.openPlain(target, null, signal);
      const secured = tls.connect({
        socket,
        // A name that ends with a dot has the certificate of the name without.
        ...(isIP(target.host) === 0 && { servername: target.host.replace(/\.$/, '') }),
        host: target.host.replace(/\.$/, ''),
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
        ALPNProtocols: ['http/1.1'],
        ...(ca.length > 0 && { ca: [...tls.rootCertificates, ...ca] }),
      });
      return ready(secured, 'secureConnect', signal);
    });
  }

  private openPlain({ host, port }: Target, only: 'loopback' | null, signal?: AbortSignal): Promise<Socket> {
    const { guard, resolve } = this.options;
    // `lookup` is not called for what is an address already.
    if (isIP(host) !== 0 && !(only === null ? guard.allows(host) : guard.isLoopback(host) && guard.allows(host))) {
      return Promise.reject(new SendFailed('ADDRESS_REFUSED'));
    }
    const open = (until: AbortSignal): Promise<Socket> =>
      ready(connect({ host, port, noDelay: true, lookup: guardedLookup(guard, resolve, only) }), 'connect', until);
    return signal ? open(signal) : inTime(open);
  }

  /** A tunnel by CONNECT (RFC 9110, 9.3.6). */
  private openThroughProxy(proxy: URL, { host, port }: Target, signal: AbortSignal): Promise<Socket> {
    if (isIP(host) !== 0 && !this.options.guard.allows(host)) {
      return Promise.reject(new SendFailed('ADDRESS_REFUSED'));
    }
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const request = (proxy.protocol === 'https:' ? https : http).request({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: authority,
      agent: false,
      signal,
      headers: {
        host: authority,
        ...(proxy.username !== '' && {
          'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    });
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => reject(new SendFailed('PROXY_FAILED', { cause }));
      request.once('error', error => (signal.aborted ? reject(signal.reason as Error) : fail(error)));
      request.once('response', answer => {
        answer.destroy();
        fail(new Error(`the proxy answered ${answer.statusCode}`));
      });
      request.once('connect', (answer, socket, head) => {
        if (answer.statusCode === 200 && head.length === 0) return resolve(socket);
        socket.destroy();
        fail(new Error(`the proxy answered ${answer.statusCode}`));
      });
      request.end();
    });
  }
}

/** Runs the work for a connection, and ends it when its time is over. */
async function inTime(open: (signal: AbortSignal) => Promise<Socket>): Promise<Socket> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new SendFailed('CONNECT_TIMED_OUT')), CONNECT_TIMEOUT_MS);
  try {
    return await open(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

function ready<Kind extends Socket>(
  socket: Kind,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const end = (): void => void socket.destroy(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    socket.once('error', reject);
    socket.once('close', () => reject(new SendFailed('CONNECTION_FAILED')));
    socket.once(event, () => {
      signal.removeEventListener('abort', end);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
