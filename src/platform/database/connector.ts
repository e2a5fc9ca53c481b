import type pg from 'pg';
import { READ_ONLY_STATE } from '../../../lib/pg-wire/pg-errors.js';
import { RowClient } from '../../../lib/pg-wire/row-client.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** The server takes no writes: it is a standby, or its sessions are read-only. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer';
  readonly code = READ_ONLY_STATE;
  constructor() {
    super('the server of the database takes no writes');
  }
}

const TAKES_WRITES = `SELECT NOT pg_is_in_recovery() AS primary, current_setting('transaction_read_only') = 'off' AS writable`;

type ConnectCallback = (error: Error | null, client?: pg.Client) => void;

/** Where the connections of a pool lead, and which of them count. */
export interface Destination {
  /** Addresses of one host each. The next is tried after one that failed. */
  readonly hosts: readonly string[];
  /** `primary`: a standby is passed over. `writable`: also a server whose sessions are read-only. */
  readonly accepts: 'any' | 'primary' | 'writable';
}

/**
 * The clients of one pool, for the pool's option `Client`. While the database is away they try to connect only a few
 * times a second: otherwise thousands of requests would connect to a server that is starting. After a failure of all
 * hosts in turn all attempts fail at once for 50 ms, then for twice as long, up to a second. One success ends it.
 */
export class Connector {
  private turn = 0;
  /** Failures since the last success. */
  private failures = 0;
  private lastError: Error | null = null;
  private pauseMs = 0;
  private retryAtMs = 0;
  /** Errors after which another host is to be tried. */
  private readonly passing = new WeakSet<object>();

  constructor(private readonly destination: Destination) {}

  get Client(): typeof pg.Client {
    // oxlint-disable-next-line typescript/no-this-alias -- The class has a `this` of its own.
    const connector = this;
    return class ConnectingClient extends RowClient {
      private readonly address = connector.address;

      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: connector.address });
      }

      /** The pool, which alone uses this class, connects with a callback. */
      override connect(): Promise<never>;
      override connect(callback: ConnectCallback): void;
      override connect(callback?: ConnectCallback): Promise<never> | void {
        const early = connector.pausing();
        if (early) {
          process.nextTick(() => callback?.(early));
          return;
        }
        const done = (error: Error | null): void => {
          connector.note(this.address, error);
          callback?.(error, this);
        };
        super.connect((error: Error | null) => (error ? done(error) : connector.check(this, done)));
      }
    };
  }

  /** Makes a pool try each host before it gives up. */
  over(pool: pg.Pool): void {
    const { hosts } = this.destination;
    if (hosts.length === 1) return;
    const open = pool.connect.bind(pool);
    const openAny = async (): Promise<pg.PoolClient> => {
      for (let left = hosts.length; ; left -= 1) {
        try {
          return await open();
        } catch (error) {
          if (left === 1 || !this.passes(error as Error)) throw error;
        }
      }
    };
    // The form with a callback is that of the pool's own `query`, which no request uses.
    pool.connect = ((callback?: Parameters<typeof open>[0]) =>
      callback ? open(callback) : openAny()) as typeof pool.connect;
  }

  private get address(): string {
    const { hosts } = this.destination;
    return hosts[this.turn % hosts.length] as string;
  }

  private pausing(): Error | null {
    const { lastError } = this;
    return lastError && performance.now() < this.retryAtMs ? new Error(lastError.message, { cause: lastError }) : null;
  }

  private check(client: pg.Client, done: (error: Error | null) => void): void {
    const { accepts } = this.destination;
    if (accepts === 'any') {
      done(null);
      return;
    }
    // The pool listens from the end of this on. The error of a connection that is lost before is that of the statement.
    const unheard = (): void => undefined;
    client.on('error', unheard);
    client.query<{ primary: boolean; writable: boolean }>(TAKES_WRITES, (error: Error | null, result) => {
      const [server] = error ? [] : result.rows;
      const isAccepted = server?.primary === true && (accepts === 'primary' || server.writable);
      // The pool forgets a client that it did not get.
      if (isAccepted) client.off('error', unheard);
      else client.end(() => undefined);
      done(isAccepted ? null : (error ?? new ReadOnlyServer()));
    });
  }

  /** Notes how an attempt ended. */
  private note(address: string, error: Error | null): void {
    if (!error) {
      this.failures = 0;
      this.lastError = null;
      this.pauseMs = 0;
      return;
    }
    const nowMs = performance.now();
    // Attempts that began together count as one failure.
    if (nowMs < this.retryAtMs) return;
    if (address === this.address) {
      this.failures += 1;
      this.turn += 1;
      if (this.failures % this.destination.hosts.length === 0) {
        this.lastError = error;
        this.pauseMs = Math.min(Math.max(this.pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
        this.retryAtMs = nowMs + this.pauseMs;
        return;
      }
    }
    this.passing.add(error);
  }

  private passes(error: Error): boolean {
    // Where a host does not answer in time, the pool ends the attempt with an error of its own.
    return this.passing.has(error) || (error.cause instanceof Object && this.passing.has(error.cause));
  }
}
