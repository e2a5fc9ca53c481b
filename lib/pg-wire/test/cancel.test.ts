import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { cancelStatement } from '../cancel.js';
import { certificate } from '../../guarded-connect/test/receiver.js';

const SSL_REQUEST = '0000000804d2162f';
const CANCEL_REQUEST = '0000001004d2162e00000007ffffffff';
const TIMEOUT_MS = 5000;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A client of a server at this host and port, as `pg` has it. */
function client(host: string, port: number, ssl: object | false = false, sslNegotiation = 'postgres'): pg.ClientBase {
  const session: unknown = { host, port, ssl, sslNegotiation, processID: 7, secretKey: -1 };
  return session as pg.ClientBase;
}

async function listening(at: string | number, connected: (socket: Socket) => void): Promise<Server> {
  const server = createServer(connected);
  servers.push(server);
  if (typeof at === 'string') server.listen(at);
  else server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

test('a request is sent in the open where the session is, and by a socket of the file system where it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-cancel-'));
  for (const host of ['127.0.0.1', folder]) {
    const received = Promise.withResolvers<string>();
    const at = host === folder ? join(folder, '.s.PGSQL.5432') : 0;
    const server = await listening(at, socket => {
      socket.once('data', bytes => received.resolve(bytes.toString('hex')));
      socket.on('data', () => socket.end());
    });
    cancelStatement(client(host, host === folder ? 5432 : portOf(server)), TIMEOUT_MS);
    expect(await received.promise).toBe(CANCEL_REQUEST);
  }
  await rm(folder, { recursive: true });
});

test.each(['postgres', 'direct'])('a request is encrypted where the session is: %s', async negotiation => {
  const received = Promise.withResolvers<readonly string[]>();
  const server = await listening(0, socket => {
    const open: string[] = [];
    const encrypted = () => {
      const secure = new TLSSocket(socket, { isServer: true, ...certificate, ALPNProtocols: ['postgresql'] });
      secure.on('error', received.reject);
      secure.once('data', bytes => {
        received.resolve([...open, String(secure.alpnProtocol), bytes.toString('hex')]);
        secure.end();
      });
    };
    if (negotiation === 'direct') return encrypted();
    socket.once('data', bytes => {
      open.push(bytes.toString('hex'));
      encrypted();
      socket.write('S');
    });
  });
  cancelStatement(client('localhost', portOf(server), { ca: certificate.cert }, negotiation), TIMEOUT_MS);
  const expected = negotiation === 'direct' ? ['postgresql', CANCEL_REQUEST] : [SSL_REQUEST, 'false', CANCEL_REQUEST];
  expect(await received.promise).toEqual(expected);
});

test('nothing is sent in the open to a server that does not encrypt, and nobody waits for one that is silent', async () => {
  const closed = Promise.withResolvers<string>();
  const server = await listening(0, socket => {
    let all = '';
    socket.on('data', bytes => {
      all += bytes.toString('hex');
      socket.write('N');
    });
    socket.on('error', () => undefined).on('close', () => closed.resolve(all));
  });
  cancelStatement(client('127.0.0.1', portOf(server), {}), TIMEOUT_MS);
  expect(await closed.promise).toBe(SSL_REQUEST);

  const silent = Promise.withResolvers<void>();
  const mute = await listening(0, socket => {
    socket.resume().on('error', () => undefined);
    socket.on('close', () => silent.resolve());
  });
  cancelStatement(client('127.0.0.1', portOf(mute)), 50);
  await silent.promise;
});
