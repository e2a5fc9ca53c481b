import type { Exchange } from './exchange.js';

/** The longest that a request and its answer may take, however slowly its client sends and reads. A document of 10 MiB needs 90 KB/s. */
const LONGEST_MS = 120_000;
const LOOK_EVERY_MS = 5000;

/**
 * The requests that are not answered yet, in no order. They stand in an array and know their places: a Set that takes in and gives up one for
 * each request moves to a new table now and then, the old tables lead to the new ones and to what was in them, and a collection of the young
 * generation keeps all of that once one table has grown old. It took a third of the process's time.
 */
export class OpenExchanges {
  private readonly open: Exchange[] = [];
  private readonly timer = setInterval(() => this.endOldest(), LOOK_EVERY_MS).unref();
  private isClosing = false;

  /** Whether every answer says that its connection is at its end. */
  get closing(): boolean {
    return this.isClosing;
  }

  add(exchange: Exchange): void {
    exchange.place = this.open.push(exchange) - 1;
    if (this.isClosing) exchange.response.shouldKeepAlive = false;
  }

  remove(exchange: Exchange): void {
    const last = this.open.pop();
    if (last === undefined || last === exchange) return;
    this.open[exchange.place] = last;
    last.place = exchange.place;
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.open.values();
  }

  /** From now on each answer closes its connection, so that no client sends its next request to a process that is about to end. */
  closeConnections(): void {
    this.isClosing = true;
    for (const { response } of this.open) response.shouldKeepAlive = false;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private endOldest(): void {
    const since = performance.now() - LONGEST_MS;
    for (const { request, startedMs } of this.open) if (startedMs <= since) request.socket.destroy();
  }
}
