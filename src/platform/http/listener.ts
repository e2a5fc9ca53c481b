import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { UnorderedList } from '../../../lib/collections/in-progress.js';
import { UsageError } from '../../shared/usage-error.js';
import type { Exchange } from './exchange.js';

/** The longest that a request and its answer may take, however slow its client. A document of 10 MiB needs 90 KB/s. */
const LONGEST_MS = 120_000;
const CHECK_EVERY_MS = 5000;

/** The requests that are not answered yet. */
export class OpenExchanges extends UnorderedList<Exchange> {
  private readonly timer = setInterval(() => this.endOldest(), CHECK_EVERY_MS).unref();
  private isClosing = false;
  private isLeaving = false;

  /** True once the gateway stops, so that others should get the next requests. */
  get leaving(): boolean {
    return this.isLeaving;
  }

  override add(exchange: Exchange): void {
    super.add(exchange);
    if (this.isClosing) exchange.response.shouldKeepAlive = false;
  }

  /**
   * From now on each answer closes its connection, so that no client sends its next request to a process that stops.
   */
  closeConnections(isLeaving: boolean): void {
    this.isClosing = true;
    this.isLeaving = isLeaving;
    for (const { response } of this) response.shouldKeepAlive = false;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private endOldest(): void {
    const since = performance.now() - LONGEST_MS;
    for (const { request, startedMs } of this) if (startedMs <= since) request.socket.destroy();
  }
}

/** The time that running requests may take to finish when the gateway stops. */
const DRAIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 20;
/** The part of the grace, once nothing more is accepted, in which an open connection may still send its request. */
const LINGER_MS = 1000;

/** The address of this machine, for those that mean all of its addresses. */
const LOOPBACK_FOR: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** A server that starts and stops without failing a request. */
export class Listener {
  constructor(
    private readonly server: Server,
    private readonly open: OpenExchanges,
    private readonly scheme: 'http' | 'https',
    /** Ends what has no end of its own within the grace. */
    private readonly drain: (graceMs: number) => Promise<void>,
    private readonly stopWatching: () => void,
  ) {}

  /**
   * Gives the address, for example `http://127.0.0.1:4000`: where it listens everywhere, one that can be opened here.
   */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    const { port: bound } = this.server.address() as AddressInfo;
    const opened = LOOPBACK_FOR[host] ?? host;
    return `${this.scheme}://${opened.includes(':') ? `[${opened}]` : opened}:${bound}`;
  }

  /**
   * Is not ready from now on, and closes each connection with its answer, but still accepts for `graceMs`: load
   * balancers need that long to notice. Then accepts nothing, and waits for running requests. Where another process
   * accepts behind the same port (`isReplaced`), nobody has to notice, and the grace is for open connections.
   */
  async stop(graceMs: number, isReplaced = false): Promise<void> {
    this.open.closeConnections(!isReplaced);
    const lingerMs = isReplaced ? Math.max(graceMs, LINGER_MS) : Math.min(graceMs, LINGER_MS);
    const drained = this.drain(isReplaced ? lingerMs : graceMs);
    if (graceMs > 0 && !isReplaced) await sleep(graceMs);
    // The system resets connections that wait to be accepted, and right after polling for input there are the fewest.
    await nextTurn();
    // The `close` of an HTTP server ends connections without a request at once, but a proxy that has just opened one
    // sends its request next, and cannot know whether a request that failed then was done.
    const closed = new Promise<void>(resolve => NetServer.prototype.close.call(this.server, () => resolve()));
    await Promise.race([closed, sleep(lingerMs, undefined, { ref: false })]);
    // Connections that are kept alive after their last answer would delay the stop until they time out.
    const idle = setInterval(() => this.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    const force = setTimeout(() => this.server.closeAllConnections(), DRAIN_MS);
    await closed;
    await drained;
    clearInterval(idle);
    clearTimeout(force);
    this.stopWatching();
  }
}

/** A certificate or its key cannot be used. The message names the setting, and nothing of the file. */
class BadTlsFile extends UsageError {}

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the certificate (with its chain) and the private key, both PEM. Throws `BadTlsFile`. */
export async function openTls({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<Tls> {
  const cert = await read('TLS_CERT', certFile);
  const key = await read('TLS_KEY', keyFile);
  check(
    { cert },
    'The file in TLS_CERT is not a certificate in PEM format. Set TLS_CERT to a PEM file with the certificate and its chain.',
  );
  check(
    { key },
    'The file in TLS_KEY is not a private key in PEM format without a passphrase. Set TLS_KEY to such a file.',
  );
  check(
    { cert, key },
    'The key in TLS_KEY does not belong to the certificate in TLS_CERT. Set TLS_KEY to the key of that certificate.',
  );
  return { cert, key };
}

async function read(setting: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new BadTlsFile(`The file in ${setting} cannot be read. Check the path and the permissions.`);
  }
}

function check(tls: Partial<Tls>, message: string): void {
  try {
    createSecureContext(tls);
  } catch {
    throw new BadTlsFile(message);
  }
}
