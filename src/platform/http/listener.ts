import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { OpenExchanges } from './open-exchanges.js';

/** How long running requests may take to finish when the gateway stops. */
const DRAIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 20;
/** For how much of the grace, once nothing more is accepted, a connection that is there may still send its request. */
const LINGER_MS = 1000;

/** A server that comes and goes without failing a request. */
export class Listener {
  constructor(
    private readonly server: Server,
    private readonly open: OpenExchanges,
    private readonly scheme: 'http' | 'https',
    private readonly stopWatching: () => void,
  ) {}

  /** Gives the address, for example `http://127.0.0.1:4000`. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    const { port: bound } = this.server.address() as AddressInfo;
    return `${this.scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  /**
   * Is not ready any more, and says with each answer that its connection ends, but still accepts for `graceMs`: whoever sends requests here
   * needs that long to see it. Then accepts nothing, and waits for what runs.
   */
  async stop(graceMs: number): Promise<void> {
    this.open.closeConnections();
    if (graceMs > 0) await sleep(graceMs);
    // The system resets connections that wait to be accepted, and right after the turn for input there are the fewest.
    await nextTurn();
    // Not `close` of HTTP, which ends connections without a request at once: a proxy that has just opened one sends its request next, and
    // whoever sees such a request fail does not know whether it was done.
    const closed = new Promise<void>(resolve => NetServer.prototype.close.call(this.server, () => resolve()));
    await Promise.race([closed, sleep(Math.min(graceMs, LINGER_MS), undefined, { ref: false })]);
    // Connections that are kept alive after their last answer would hold the stop up until they time out.
    const idle = setInterval(() => this.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    const force = setTimeout(() => this.server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(force);
    this.stopWatching();
  }
}
