import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

const MAX_AT_ONCE = 16;
const MAX_OF_PROGRAM = 4;

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

const DECLARED = 'Content-Length: 2000000';
const CHUNKED = 'Transfer-Encoding: chunked';
/** More than 1 MiB of a body that says no length and does not end. */
const MUCH = `118000\r\n{"query":"${'x'.repeat(0x118000 - 10)}\r\n`;
const large = (caller: string) => gateway.as(caller).graphql('{ __typename }', { x: 'y'.repeat(1_500_000) });

test.each([
  ['with a length', DECLARED, '{'],
  ['without a length', CHUNKED, MUCH],
])('large bodies %s that one program does not end leave places for other programs', async (_what, head, body) => {
  const slow = await gateway.caller({ program: unique('slow') });
  const other = await gateway.caller({ program: unique('other') });
  const begun = Array.from({ length: MAX_OF_PROGRAM }, () => begin(slow, head, body));
  await until(async () => {
    const { status } = await large(slow);
    // It may have had the place of one of them, which was refused then.
    if (status === 200) begun.push(begin(slow, head, body));
    return status === 503;
  });
  expect((await large(other)).data).toEqual({ __typename: 'Query' });
  expect((await gateway.as(slow).graphql('{ __typename }')).status).toBe(200);
  expect(begun.filter(({ answer }) => answer === '').length).toBeGreaterThanOrEqual(MAX_OF_PROGRAM);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await large(slow)).status === 200);
});

test('bodies without a length take no place before much of them has come', async () => {
  const slow = await gateway.caller({ program: unique('slow') });
  for (let n = 0; n < 2 * MAX_AT_ONCE; n++) begin(slow, CHUNKED, '1\r\n{\r\n');
  expect((await large(slow)).data).toEqual({ __typename: 'Query' });
});

test('only so many large bodies are held at once in all, and the next is refused', async () => {
  for (let n = 0; n < MAX_AT_ONCE / MAX_OF_PROGRAM; n++) {
    const caller = await gateway.caller({ program: unique('many') });
    for (let m = 0; m < MAX_OF_PROGRAM; m++) begin(caller, DECLARED, '{');
  }
  const late = await gateway.caller({ program: unique('late') });
  await until(async () => {
    const { status } = await large(late);
    // Those of an earlier test may have had a place when one of these was begun.
    if (status === 200) begin(await gateway.caller({ program: unique('many') }), DECLARED, '{');
    return status === 503;
  });
  const { headers } = await large(late);
  expect(headers['retry-after']).toBe('1');
  for (const socket of sockets) socket.destroy();
  await until(async () => (await large(late)).status === 200);
});

test.each([
  ['a large one', DECLARED, '{'],
  ['a small one', 'Content-Length: 20', '{"query":'],
  ['one without a length', CHUNKED, '1\r\n{\r\n'],
])('a body that stalls is refused in seconds: %s', async (_what, head, body) => {
  const heard = begin(await gateway.caller(), head, body);
  await until(() => heard.isOver);
  expect(heard.answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(heard.answer).toContain('stopped coming');
});
