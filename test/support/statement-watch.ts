import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Messages, statementIn } from './postgres-messages.js';

/**
 * Stands between a gateway and PostgreSQL, and notes the statements that the gateway sends for requests, and not those
 * of its jobs. The log of requests is to be off: it writes as requests do.
 */
export class StatementWatch {
  private readonly sockets = new Set<Socket>();
  private readonly noted: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly database: URL,
  ) {
    server.on('connection', client => this.pass(client));
  }

  static async start(databaseUrl: string): Promise<StatementWatch> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return new StatementWatch(server, new URL(databaseUrl));
  }

  /** The address of the database by way of here. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(this.database), { host: `127.0.0.1:${port}` }).href;
  }

  /** What was sent since this was asked last. */
  take(): string[] {
    return this.noted.splice(0);
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private pass(client: Socket): void {
    const database = connect(Number(this.database.port), this.database.hostname);
    const messages = new Messages();
    let isOfJobs = false;
    client.on('data', chunk => {
      for (const message of messages.read(chunk)) {
        // The first message of a connection says whose it is.
        isOfJobs ||= /application_name\0tillgate-(jobs|feed|overview)\0/.test(message.toString('latin1'));
        const statement = statementIn(message);
        if (statement !== null && !isOfJobs) this.noted.push(statement);
      }
      database.write(chunk);
    });
    database.on('data', chunk => client.write(chunk));
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
