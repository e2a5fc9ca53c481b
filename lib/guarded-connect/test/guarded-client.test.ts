import { afterEach, describe, expect, test } from '@jest/globals';
import http, { type ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AddressGuard } from '../address-guard.js';
import { GuardedClient, SendFailed, type GuardedClientOptions } from '../guarded-client.js';
import { certificate, Receiver, type Certificate } from './receiver.js';

const BODY = Buffer.from('{"type":"card.frozen"}');
const local = new AddressGuard([], true);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function clientWith(options: GuardedClientOptions = {}): GuardedClient {
  const client = new GuardedClient({ ca: [certificate.cert], ...options });
  closing.push(() => client.close());
  return client;
}

async function receiverWith(
  answer: (response: ServerResponse) => void = response => response.end('thanks'),
  options: { certificate?: Certificate | null } = {},
): Promise<Receiver> {
  const receiver = await Receiver.start(answer, options);
  closing.push(() => receiver.stop());
  return receiver;
}

async function serverWith(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function failureOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof SendFailed) return error.code;
    throw error;
  }
  return 'none';
}

test('a body is sent over TLS to a name, and its answer is given', async () => {
  const receiver = await receiverWith(response => response.writeHead(202, { 'retry-after': '7' }).end('thanks'), {
    certificate,
  });
  const client = clientWith({ guard: local, resolve: async () => ['127.0.0.1'] });
  const answer = await client.post(
    `https://receiver.test:${receiver.port}/hook?a=1`,
    { 'content-type': 'application/json', 'user-agent': 'Test/1' },
    BODY,
  );
  expect(answer).toEqual({ status: 202, retryAfter: '7', body: Buffer.from('thanks') });
  const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = receiver.received;
  expect({ url, body }).toEqual({ url: '/hook?a=1', body: BODY.toString() });
  expect(headers).toMatchObject({
    host: `receiver.test:${receiver.port}`,
    'content-type': 'application/json',
    'user-agent': 'Test/1',
    'content-length': String(BODY.length),
    'accept-encoding': 'identity',
  });
});

describe('nobody is connected to', () => {
  test.each([
    ['a name that leads to this machine', ['127.0.0.1']],
    ['a name that leads to the metadata of a cloud', ['169.254.169.254']],
    ['a name with one private address among public ones', ['1.1.1.1', '10.0.0.1']],
    ['a name with one private IPv6 address among public ones', ['2606:4700::1111', 'fd00::1']],
    ['a name that leads to mapped IPv4', ['::ffff:127.0.0.1']],
    ['a name whose server gives no address but a word', ['localhost']],
  ])('%s', async (_what, addresses) => {
    const client = clientWith({ resolve: async () => addresses });
    expect(await failureOf(client.post('https://receiver.test/', {}, BODY))).toBe('ADDRESS_REFUSED');
  });

  test('a name that exists nowhere', async () => {
    const client = clientWith({ resolve: async () => [] });
    expect(await failureOf(client.post('https://receiver.test/', {}, BODY))).toBe('NAME_NOT_FOUND');
  });

  test('a name that is rebound after it was vetted: the vetted address is the one connected to', async () => {
    const receiver = await receiverWith(undefined, { certificate });
    const guard = new AddressGuard(['127.0.0.2/32']);
    let asked = 0;
    // Public (here: listed) when it is vetted, this machine when it is asked a second time.
    const client = clientWith({ guard, resolve: async () => (asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']) });
    const url = `https://receiver.test:${receiver.port}/`;
    // Nobody listens at 127.0.0.2.
    expect(await failureOf(client.post(url, {}, BODY))).toBe('CONNECTION_FAILED');
    expect(asked).toBe(1);
    expect(await failureOf(client.post(url, {}, BODY))).toBe('ADDRESS_REFUSED');
    expect(receiver.connections).toBe(0);
  });

  test('a name that is rebound between two requests, once its connection is closed', async () => {
    const receiver = await receiverWith(response => response.writeHead(200, { connection: 'close' }).end(), {
      certificate,
    });
    const guard = new AddressGuard(['127.0.0.1/32']);
    const answers = [['127.0.0.1'], ['127.0.0.3'], ['127.0.0.1', '::1']];
    const client = clientWith({ guard, resolve: async () => answers.shift() ?? [] });
    const url = `https://receiver.test:${receiver.port}/`;
    expect((await client.post(url, {}, BODY)).status).toBe(200);
    expect(await failureOf(client.post(url, {}, BODY))).toBe('ADDRESS_REFUSED');
    expect(await failureOf(client.post(url, {}, BODY))).toBe('ADDRESS_REFUSED');
    expect(receiver.received).toHaveLength(1);
  });

  test('the target of a redirect', async () => {
    const inside = await receiverWith();
    const receiver = await receiverWith(response => response.writeHead(302, { location: inside.url }).end(), {
      certificate,
    });
    const client = clientWith({ guard: local, resolve: async () => ['127.0.0.1'] });
    expect((await client.post(`https://receiver.test:${receiver.port}/`, {}, BODY)).status).toBe(302);
    expect(inside.connections).toBe(0);
  });

  test('another machine by http, where http to this machine is allowed', async () => {
    const client = clientWith({ guard: local, resolve: async () => ['1.1.1.1'] });
    await expect(client.post('http://receiver.test/', {}, BODY)).rejects.toMatchObject({ problem: 'not_https' });
  });

  test('a receiver with a certificate of another name, or that nobody has signed', async () => {
    const receiver = await receiverWith(undefined, { certificate });
    const client = clientWith({ guard: local, resolve: async () => ['127.0.0.1'] });
    expect(await failureOf(client.post(`https://stranger.test:${receiver.port}/`, {}, BODY))).toBe('TLS_FAILED');
    const strict = clientWith({ guard: local, resolve: async () => ['127.0.0.1'], ca: [] });
    expect(await failureOf(strict.post(`https://receiver.test:${receiver.port}/`, {}, BODY))).toBe('TLS_FAILED');
    expect(receiver.received).toEqual([]);
  });
});

describe('an answer', () => {
  async function answered(answer: (response: ServerResponse) => void, options: GuardedClientOptions = {}) {
    const receiver = await receiverWith(answer);
    return clientWith({ guard: local, ...options }).post(receiver.url, {}, BODY);
  }

  test('that is large is cut', async () => {
    const { status, body } = await answered(response => response.end('x'.repeat(5_000_000)));
    expect([status, body.length]).toEqual([200, 4096]);
  });

  test('that never ends is cut, and its status counts', async () => {
    const { status, body } = await answered(response => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(timer));
    });
    expect([status, body.length < 4096]).toEqual([200, true]);
  });

  test('that is compressed stays as it is, so it cannot grow', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const { body } = await answered(response => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(body).toEqual(bomb.subarray(0, 4096));
  });

  test('that breaks off keeps its status', async () => {
    const { status } = await answered(response => {
      response.writeHead(500, { 'content-length': '100' });
      response.write('x', () => response.destroy());
    });
    expect(status).toBe(500);
  });

  test('that does not come in time fails', async () => {
    expect(await failureOf(answered(() => undefined, { answerTimeoutMs: 50 }))).toBe('TIMED_OUT');
  });

  test.each([
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n'],
    ['whose headers do not end', `HTTP/1.1 200 OK\r\n${`x-${'a'.repeat(1000)}: 1\r\n`.repeat(100)}`],
    [
      'whose lengths contradict each other',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
  ])('%s is refused', async (_what, text) => {
    const port = await serverWith(socket => socket.once('data', () => socket.write(text)));
    expect(await failureOf(clientWith({ guard: local }).post(`http://127.0.0.1:${port}/`, {}, BODY))).toBe(
      'ANSWER_INVALID',
    );
  });

  test('that never comes, since the connection is closed, fails', async () => {
    const port = await serverWith(socket => socket.destroy());
    expect(await failureOf(clientWith({ guard: local }).post(`http://127.0.0.1:${port}/`, {}, BODY))).toBe(
      'CONNECTION_FAILED',
    );
  });
});

test('a request that is stopped fails at once', async () => {
  const receiver = await receiverWith(() => undefined);
  const stop = new AbortController();
  const sending = failureOf(clientWith({ guard: local }).post(receiver.url, {}, BODY, stop.signal));
  stop.abort();
  expect(await sending).toBe('STOPPED');
});

test('a connection serves many requests, and is replaced if the server has closed it', async () => {
  const receiver = await receiverWith();
  const client = clientWith({ guard: local });
  await client.post(receiver.url, {}, BODY);
  await client.post(receiver.url, {}, BODY);
  expect(receiver.connections).toBe(1);
  for (const socket of receiver.sockets) socket.resetAndDestroy();
  expect((await client.post(receiver.url, {}, BODY)).status).toBe(200);
  expect(receiver.connections).toBe(2);
});

test('no value can add a header', async () => {
  const receiver = await receiverWith();
  const client = clientWith({ guard: local });
  await expect(client.post(receiver.url, { 'webhook-id': 'a\r\nx-injected: 1' }, BODY)).rejects.toThrow();
  expect(receiver.received).toEqual([]);
});

describe('through a proxy', () => {
  async function proxyWith(
    status = 200,
  ): Promise<{ url: string; asked: string[]; credentials: (string | undefined)[] }> {
    const [asked, credentials]: [string[], (string | undefined)[]] = [[], []];
    const proxy = http.createServer();
    proxy.on('connect', (request, socket: Socket) => {
      asked.push(request.url ?? '');
      credentials.push(request.headers['proxy-authorization']);
      socket.on('error', () => undefined);
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const onwards = connect(Number(request.url?.split(':').pop()), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onwards).pipe(socket);
      });
      onwards.on('error', () => undefined);
      closing.push(() => onwards.destroy());
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    closing.push(() => proxy.close());
    return { url: `http://user:pass%20word@127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked, credentials };
  }

  test('a receiver is reached by its name, which the proxy resolves', async () => {
    const receiver = await receiverWith(undefined, { certificate });
    const proxy = await proxyWith();
    const client = clientWith({ proxyUrl: proxy.url, resolve: () => Promise.reject(new Error('asked')) });
    expect((await client.post(`https://receiver.test:${receiver.port}/`, {}, BODY)).status).toBe(200);
    expect(proxy.asked).toEqual([`receiver.test:${receiver.port}`]);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('user:pass word').toString('base64')}`]);
  });

  test('its certificate is checked all the same', async () => {
    const receiver = await receiverWith(undefined, { certificate });
    const client = clientWith({ proxyUrl: (await proxyWith()).url });
    expect(await failureOf(client.post(`https://stranger.test:${receiver.port}/`, {}, BODY))).toBe('TLS_FAILED');
  });

  test('addresses that are private are refused', async () => {
    const proxy = await proxyWith();
    const client = clientWith({ proxyUrl: proxy.url });
    await expect(client.post('https://10.0.0.1/', {}, BODY)).rejects.toMatchObject({ problem: 'address_refused' });
    expect(proxy.asked).toEqual([]);
  });

  test.each([403, 407, 302])('a refusal of the proxy (%d) is a failure', async status => {
    const client = clientWith({ proxyUrl: (await proxyWith(status)).url });
    expect(await failureOf(client.post('https://receiver.test/', {}, BODY))).toBe('PROXY_FAILED');
  });
});
