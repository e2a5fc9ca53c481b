import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where a connection is cut: the COMMIT never arrives, or it arrives and its answer never comes back. */
export type Cut = 'before' | 'after';

const QUERY = 0x51;
const BIND = 0x42;
const SYNC = 0x53;
const HEADER_BYTES = 5;

/** Stands between the gateways and PostgreSQL, always at the same port, and cuts a connection in the middle of its COMMIT when asked to. */
export class CommitCutter {
  private readonly sockets = new Set<Socket>();
  private waiting: { cut: Cut; done: () => void } | null = null;

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

  /** Cuts the connection of the next COMMIT. False if there was none in time. */
  cutNext(cut: Cut, withinMs: number): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        this.waiting = null;
        resolve(false);
      }, withinMs);
      const done = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.waiting = { cut, done };
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
    client.on('data', chunk => {
      for (const message of messages.read(chunk)) {
        committing ||= isCommit(message);
        const arrives = message[0] === QUERY || message[0] === SYNC;
        if (this.waiting && committing && (arrives || this.waiting.cut === 'before')) {
          this.cut(message, client, database);
          return;
        }
        if (arrives) committing = false;
        database.write(message);
      }
    });
    database.on('data', chunk => client.write(chunk));
  }

  private cut(commit: Buffer, client: Socket, database: Socket): void {
    const { cut, done } = this.waiting as { cut: Cut; done: () => void };
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

/** The whole messages in what a client of PostgreSQL sends. Its first one has a length and no type. */
class Messages {
  private rest: Buffer = Buffer.alloc(0);
  private typeBytes = 0;

  *read(chunk: Buffer): Generator<Buffer> {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= HEADER_BYTES) {
      const bytes = this.typeBytes + this.rest.readUInt32BE(this.typeBytes);
      if (this.rest.length < bytes) return;
      const message = this.rest.subarray(0, bytes);
      this.rest = this.rest.subarray(bytes);
      this.typeBytes = 1;
      yield message;
    }
  }
}

function isCommit(message: Buffer): boolean {
  if (message[0] !== QUERY && message[0] !== BIND) return false;
  // A Bind has the portal's name before the statement's.
  const start = message[0] === QUERY ? HEADER_BYTES : message.indexOf(0, HEADER_BYTES) + 1;
  return /^\s*commit\b/i.test(message.toString('utf8', start, start + 20));
}
