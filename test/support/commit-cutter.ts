import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Messages, QUERY, SYNC, statementIn } from './postgres-messages.js';

/** Where a connection is cut: the COMMIT never arrives, or it arrives and its answer never comes back. */
export type CutPoint = 'before' | 'after';

/**
 * Stands between the gateways and PostgreSQL, always at the same port, and cuts a connection in the middle of its
 * COMMIT when asked to.
 */
export class CommitCutter {
  private readonly sockets = new Set<Socket>();
  private waiting: { cut: CutPoint; of: string; done: () => void } | null = null;

  private constructor(
    private readonly server: Server,
    private readonly databasePort: () => number,
  ) {
    server.on('connection', client => this.pass(client));
  }

  static async start(databasePort: () => number): Promise<CommitCutter> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return new CommitCutter(server, databasePort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Cuts the connection of the next COMMIT of a transaction that sent the statement `of`, named so by the gateway; of
   * any transaction without it. False if there was none in time.
   */
  cutNext(cut: CutPoint, withinMs: number, of = ''): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        this.waiting = null;
        resolve(false);
      }, withinMs);
      const done = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.waiting = { cut, of, done };
    });
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private pass(client: Socket): void {
    const database = connect(this.databasePort(), '127.0.0.1');
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    const messages = new Messages();
    // A COMMIT as a prepared statement arrives with the Sync behind it.
    let committing = false;
    let isMeant = false;
    client.on('data', chunk => {
      for (const message of messages.read(chunk)) {
        committing ||= isCommit(message);
        isMeant ||= this.waiting !== null && message.includes(this.waiting.of);
        const arrives = message[0] === QUERY || message[0] === SYNC;
        if (this.waiting && isMeant && committing && (arrives || this.waiting.cut === 'before')) {
          this.cut(message, client, database);
          return;
        }
        if (committing && arrives) {
          committing = false;
          isMeant = false;
        }
        database.write(message);
      }
    });
    database.on('data', chunk => client.write(chunk));
  }

  private cut(commit: Buffer, client: Socket, database: Socket): void {
    const { cut, done } = this.waiting as { cut: CutPoint; done: () => void };
    this.waiting = null;
    client.removeAllListeners('data');
    if (cut === 'before') {
      database.destroy();
      client.destroy();
    } else {
      // What comes back is read and dropped: a reset could overtake the COMMIT.
      database.removeAllListeners('data').resume();
      client.removeAllListeners('close').destroy();
      this.sockets.delete(client);
      database.end(commit);
    }
    done();
  }
}

function isCommit(message: Buffer): boolean {
  return /^\s*commit\b/i.test(statementIn(message) ?? '');
}
