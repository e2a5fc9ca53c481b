import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tillgate } from '../../cli/command-line.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';

const CERTIFICATES = new URL('../../security/http/', import.meta.url);
const USAGE = 'usage-reporting.api.apollographql.com:443';
const READ =
  'query ReadName($id: ID!) { account(accountId: $id) { accountId } other: account(accountId: "literal-id") { accountId } }';

interface Report {
  readonly key: string | undefined;
  readonly text: string;
}

/** An HTTP proxy that takes the place of every host beyond it, and keeps what is sent to them. */
class Outside {
  readonly hosts: string[] = [];
  readonly reports: Report[] = [];

  private constructor(
    private readonly proxy: ReturnType<typeof createServer>,
    private readonly hosted: ReturnType<typeof createTlsServer>,
  ) {
    hosted.on('request', (request, response) => {
      void this.keep(request).then(() => response.end('{}'));
    });
    proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
      this.hosts.push(request.url ?? '');
      const host = connect((hosted.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(host).pipe(socket);
      });
      for (const end of [host, socket]) end.on('error', () => undefined);
    });
    // Proxies get requests for plain HTTP without a tunnel.
    proxy.on('request', (request, response) => {
      this.hosts.push(request.url ?? '');
      response.writeHead(502).end();
    });
  }

  static async open(): Promise<Outside> {
    const cert = await readFile(new URL('localhost.cert.pem', CERTIFICATES));
    const key = await readFile(new URL('localhost.key.pem', CERTIFICATES));
    const hosted = createTlsServer({ cert, key }).listen(0, '127.0.0.1');
    const proxy = createServer().listen(0, '127.0.0.1');
    await Promise.all([once(hosted, 'listening'), once(proxy, 'listening')]);
    return new Outside(proxy, hosted);
  }

  /** Settings with which a process of Node.js asks other hosts by way of this proxy. */
  get settings(): Record<string, string> {
    const proxy = `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`;
    return { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  }

  async close(): Promise<void> {
    for (const server of [this.proxy, this.hosted]) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  private async keep(request: IncomingMessage): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('latin1');
    const key = request.headers['x-api-key'];
    this.reports.push({ key: Array.isArray(key) ? key[0] : key, text });
  }
}

let database: FreshDatabase;
let dataDir: string;
let gateway: TestGateway;
beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-reports-'));
  gateway = await startTestGateway({ databaseUrl: database.url, dataDir });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Everything that a gateway with these settings sends to other hosts, from its start to its end, while it answers some
 * operations.
 */
async function sentBeside(settings: Record<string, string>): Promise<Outside> {
  const outside = await Outside.open();
  const { child, printed, ended } = tillgate(['serve'], {
    PORT: '0',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    WEBHOOKS: 'false',
    ...outside.settings,
    ...settings,
  });
  try {
    const [url = ''] = /^http\S+/m.exec(await printed(/^http\S+/m)) ?? [];
    const { account, caller } = await gateway.given.account();
    const authorization = `Bearer ${caller}`;
    for (let times = 0; times < 3; times++) {
      const response = await fetch(new URL('/graphql', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ query: READ, variables: { id: account } }),
      });
      expect(await response.json()).toEqual({ data: { account: { accountId: account }, other: null } });
    }
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    const sent = outside.reports.map(({ text }) => text).join('');
    for (const secret of [account, 'literal-id', caller]) expect(sent).not.toContain(secret);
    return outside;
  } finally {
    child.kill('SIGKILL');
    await outside.close();
  }
}

test('nothing is sent to another host unless a key of Apollo is set', async () => {
  const { hosts } = await sentBeside({});
  expect(hosts).toEqual([]);
});

test('with a key and a graph, operations are reported to Apollo by their signatures, without variables, literals and headers', async () => {
  const { hosts, reports } = await sentBeside({ APOLLO_KEY: 'service:bank:key', APOLLO_GRAPH_REF: 'bank@test' });
  expect(new Set(hosts)).toEqual(new Set([USAGE]));
  expect(reports.map(({ key }) => key)).toEqual(['service:bank:key']);
  expect(reports[0]?.text).toContain('bank@test');
  expect(reports[0]?.text).toContain('query ReadName($id:ID!){account(accountId:$id){accountId}');
});

test('a subgraph leaves reports to its router', async () => {
  const settings = { APOLLO_KEY: 'service:bank:key', APOLLO_GRAPH_REF: 'bank@test', FEDERATION: 'true' };
  expect((await sentBeside(settings)).hosts).toEqual([]);
});
