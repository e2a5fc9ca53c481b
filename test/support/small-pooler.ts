import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Messages, QUERY, SYNC } from './postgres-messages.js';

const TERMINATE = 0x58;
const BACKEND_KEY = 0x4b;
const READY = 0x5a;
const ERROR = 0x45;
const IDLE = 0x49;

/** A session of the server. */
interface ServerSide {
  readonly socket: Socket;
  user: ClientSide | null;
}

interface ClientSide {
  readonly socket: Socket;
  session: ServerSide | null;
  /** How many times the server has to say that it is ready. */
  open: number;
}

/**
 * What poolers do, and no more: clients get process numbers of their own and no start-up options, and sessions of the
 * server for as long as they are connected, or for each transaction. As in old ones, prepared statements stay in the
 * session that they were prepared in.
 */
export async function startSmallPooler(serverUrl: string, mode: 'session' | 'transaction') {
  const free: ServerSide[] = [];
  const sockets = new Set<Socket>();
  const target = new URL(serverUrl);

  function join(client: ClientSide): void {
    const session: ServerSide = { socket: connect(Number(target.port), target.hostname), user: client };
    client.session = session;
    keep(session.socket, client.socket);
    const messages = new Messages(1);
    session.socket.on('data', chunk => {
      for (const message of messages.read(chunk)) {
        if (message[0] === BACKEND_KEY) message.writeInt32BE(-1 - message.readInt32BE(5), 5);
        session.user?.socket.write(message);
        if (message[0] === READY && session.user) answered(session, session.user, message[5] === IDLE);
      }
    });
  }

  function answered(session: ServerSide, client: ClientSide, isIdle: boolean): void {
    client.open = Math.max(0, client.open - 1);
    if (mode === 'session' || !isIdle || client.open > 0) return;
    [client.session, session.user] = [null, null];
    free.push(session);
  }

  function keep(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }

  const server = createServer(socket => {
    const client: ClientSide = { socket, session: null, open: 1 };
    const messages = new Messages();
    let isNew = true;
    keep(socket, socket);
    socket.on('data', chunk => {
      for (const message of messages.read(chunk)) {
        if (isNew && message.includes('\0options\0')) return socket.end(refusal());
        if (message[0] === TERMINATE) return socket.destroy();
        if (isNew) join(client);
        isNew = false;
        client.session ??= free.pop() ?? null;
        if (!client.session) return socket.destroy();
        client.session.user = client;
        if (message[0] === SYNC || message[0] === QUERY) client.open += 1;
        client.session.socket.write(message);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = Object.assign(new URL(serverUrl), { port: `${(server.address() as AddressInfo).port}` }).href;
  return {
    url,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function refusal(): Buffer {
  const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0');
  const head = Buffer.alloc(5);
  head[0] = ERROR;
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
