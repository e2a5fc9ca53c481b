import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends the beginning of a body, and gives what the gateway answers. */
function begin(caller: string, head: string, body: string): { answer: string; isOver: boolean } {
  const heard = { answer: '', isOver: false };
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('data', chunk => (heard.answer += chunk.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (heard.isOver = true));
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller}\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`,
  );
  sockets.push(socket);
  return heard;
}

const DECLARED = 'Content-Length: 15000000';
const CHUNKED = 'Transfer-Encoding: chunked';
/** More than 1 MiB of a body that says no length and does not end. */
const MUCH = `118000\r\n{"query":"${'x'.repeat(0x118000 - 10)}\r\n`;
const large = (caller: string) => gateway.as(caller).graphql('{ __typename }', { x: 'y'.repeat(1_500_000) });
const clientOf = (program: string) => gateway.caller({ program, clientId: unique('client') });

/** Begins bodies that do not end until a large body of the same caller finds no place. */
async function fill(caller: string, head: string, body: string): Promise<void> {
  await until(async () => {
    begin(caller, head, body);
    return (await large(caller)).status === 503;
  });
}

// These two are first, as who has found no memory counts as waiting for some seconds.
test('large bodies that trickle are refused when somebody waits for their memory, and not before', async () => {
  const slow = await clientOf(unique('slow'));
  const heard = begin(slow, DECLARED, '{');
  const drip = setInterval(() => sockets.forEach(socket => socket.write(' ')), 100);
  try {
    // Longer than the seconds after which a body is late, and than the pause that is allowed within one.
    await sleep(6000);
    expect(heard).toEqual({ answer: '', isOver: false });
    await fill(slow, DECLARED, '{');
    await until(() => heard.isOver);
    expect(heard.answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard.answer).toContain('came too slowly');
    await until(async () => (await large(slow)).status === 200);
  } finally {
    clearInterval(drip);
  }
});

test('large bodies that trickle stay while another program has used up its own part', async () => {
  const heard = begin(await clientOf(unique('slow')), DECLARED, '{');
  const drip = setInterval(() => sockets[0]?.write(' '), 100);
  try {
    await sleep(4000);
    await fill(await clientOf(unique('greedy')), DECLARED, '{');
    await sleep(1500);
    expect(heard).toEqual({ answer: '', isOver: false });
  } finally {
    clearInterval(drip);
  }
});

test.each([
  ['with a length', DECLARED, '{'],
  ['without a length', CHUNKED, MUCH],
])(
  'large bodies %s that a client does not end leave places for others, of its program and of all',
  async (_what, head, body) => {
    const program = unique('slow');
    const slow = await clientOf(program);
    await fill(slow, head, body);
    expect((await large(slow)).headers['retry-after']).toBe('1');
    expect((await gateway.as(slow).graphql('{ __typename }')).status).toBe(200);
    expect((await large(await clientOf(program))).data).toEqual({ __typename: 'Query' });
    expect((await large(await clientOf(unique('other')))).data).toEqual({ __typename: 'Query' });
    for (const socket of sockets) socket.destroy();
    await until(async () => (await large(slow)).status === 200);
  },
);

test('four programs whose clients all send slowly leave places for a fifth', async () => {
  for (let n = 0; n < 4; n++) {
    const program = unique('slow');
    for (let m = 0; m < 3; m++) await fill(await clientOf(program), DECLARED, '{');
  }
  expect((await large(await clientOf(unique('other')))).data).toEqual({ __typename: 'Query' });
});

test('bodies without a length take no place before much of them has come', async () => {
  const slow = await gateway.caller({ program: unique('slow') });
  for (let n = 0; n < 64; n++) begin(slow, CHUNKED, '1\r\n{\r\n');
  expect((await large(slow)).data).toEqual({ __typename: 'Query' });
});

test('what has come of a body that never ends is charged', async () => {
  const slow = await clientOf(unique('slow'));
  const left = async () => {
    const { headers } = await gateway.as(slow).graphql('{ __typename }');
    return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  };
  // A look at what is left takes a unit, and more than a MiB takes 64. A new window begins with all units.
  let [last, spent] = [await left(), 0];
  await until(async () => {
    if (spent === 0) begin(slow, CHUNKED, MUCH);
    const now = await left();
    spent = now > last ? 0 : spent + last - now - 1;
    last = now;
    return spent >= 60;
  });
  expect(spent).toBeGreaterThanOrEqual(60);
});

test.each([
  ['a large one', DECLARED, '{'],
  ['a small one', 'Content-Length: 20', '{"query":'],
  ['one without a length', CHUNKED, '1\r\n{\r\n'],
])('a body that stalls is refused in seconds: %s', async (_what, head, body) => {
  const heard = begin(await gateway.caller(), head, body);
  await until(() => heard.isOver);
  expect(heard.answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(heard.answer).toMatch(/The body (stopped coming for too long|came too slowly)\./);
});
