import { connect } from 'node:net';
import type pg from 'pg';

/** What `pg` has of a session and does not declare: the address it is at, and the key that its server gave it. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  end(): Promise<void>;
}

const CANCEL_REQUEST_CODE = 80_877_102;
const REQUEST_BYTES = 16;
const TIMEOUT_MS = 2000;

/**
 * Closes a connection, and asks the server to cancel what runs on it (PostgreSQL protocol, 'Canceling Requests in Progress'). The
 * connection is not used again, so the request cannot hit a statement of somebody else; and a transaction on it is rolled back.
 */
export function cancelStatement(client: pg.PoolClient): void {
  const session = client as unknown as Session;
  const { host, port, processID, secretKey } = session;
  session.end().catch(() => undefined);
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(REQUEST_BYTES);
  request.writeInt32BE(REQUEST_BYTES, 0);
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  // Where the request does not get through, `statement_timeout` ends the statement.
  socket.on('error', () => undefined);
  socket.end(request);
}
