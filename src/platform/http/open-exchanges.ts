import { UnorderedList } from '../collections/unordered-list.js';
import type { Exchange } from './exchange.js';

/** The longest that a request and its answer may take, however slowly its client sends and reads. A document of 10 MiB needs 90 KB/s. */
const LONGEST_MS = 120_000;
const LOOK_EVERY_MS = 5000;

/** The requests that are not answered yet. */
export class OpenExchanges extends UnorderedList<Exchange> {
  private readonly timer = setInterval(() => this.endOldest(), LOOK_EVERY_MS).unref();
  private isClosing = false;

  /** Whether every answer says that its connection is at its end. */
  get closing(): boolean {
    return this.isClosing;
  }

  override add(exchange: Exchange): void {
    super.add(exchange);
    if (this.isClosing) exchange.response.shouldKeepAlive = false;
  }

  /** From now on each answer closes its connection, so that no client sends its next request to a process that is about to end. */
  closeConnections(): void {
    this.isClosing = true;
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
