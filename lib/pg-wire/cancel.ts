import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type pg from 'pg';

/**
 * The properties of a session that `pg` has and does not declare: its address, its encryption, and the key to cancel
 * by.
 */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | ConnectionOptions;
  readonly sslNegotiation: string;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

const CANCEL_REQUEST_CODE = 80_877_102;
const CANCEL_REQUEST_BYTES = 16;
const SSL_REQUEST_CODE = 80_877_103;
const SSL_REQUEST_BYTES = 8;
/** The server's answer to a request for TLS. */
const YES = 'S';

/**
 * Asks the server to cancel what a connection runs (PostgreSQL protocol, 'Canceling Requests in Progress'), encrypted
 * where the connection is. The connection must stay open until its statement ends, because a pooler forgets whose
 * statement runs when its client goes; and nothing else may be sent on it, since the signal may arrive late. If the
 * request does not get through, the server's `statement_timeout` ends the statement.
 */
export function cancelStatement(client: pg.ClientBase, timeoutMs: number): void {
  const session = client as unknown as Session;
  const { host, port, processID, secretKey } = session;
  if (processID === null || secretKey === null) return;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(timeoutMs, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.once('connect', () => send(socket, session, request([CANCEL_REQUEST_CODE, processID, secretKey])));
}

function send(socket: Socket, { host, ssl, sslNegotiation }: Session, cancel: Buffer): void {
  if (!ssl) {
    finish(socket, cancel);
  } else if (sslNegotiation === 'direct') {
    encrypt(socket, host, ssl, cancel, ['postgresql']);
  } else {
    socket.once('data', answer => {
      if (answer.toString('latin1') === YES) encrypt(socket, host, ssl, cancel);
      else socket.destroy();
    });
    socket.write(request([SSL_REQUEST_CODE]));
  }
}

function encrypt(socket: Socket, host: string, ssl: true | ConnectionOptions, cancel: Buffer, alpn?: string[]): void {
  const own = ssl === true ? {} : ssl;
  // `pg` hides the key from loops over the options.
  const key = own.key === undefined ? {} : { key: own.key };
  const secure = connectTls({
    ...own,
    ...key,
    socket,
    ...(isIP(host) === 0 && { servername: host }),
    ...(alpn && { ALPNProtocols: alpn }),
  });
  secure.on('error', () => socket.destroy());
  secure.once('secureConnect', () => finish(secure, cancel));
}

/** A server or a pooler closes the connection when it has acted on the request. */
function finish(socket: Socket, cancel: Buffer): void {
  socket.resume();
  socket.write(cancel);
}

function request(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length === 1 ? SSL_REQUEST_BYTES : CANCEL_REQUEST_BYTES);
  [bytes.length, ...words].forEach((word, at) => bytes.writeInt32BE(word, at * 4));
  return bytes;
}
