import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

const MAX_AT_ONCE = 16;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('only so many large bodies are held at once, the next is refused, and their places are free again when they are gone', async () => {
  const caller = await gateway.caller();
  const { hostname, port } = new URL(gateway.url);
  const sockets: Socket[] = [];
  let answers = '';
  const begin = () => {
    const socket = connect(Number(port), hostname);
    socket.on('data', chunk => (answers += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller}\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n{`,
    );
    sockets.push(socket);
  };
  for (let n = 0; n <= MAX_AT_ONCE; n++) begin();
  await until(() => answers !== '');
  expect(answers.match(/^HTTP\/1\.1 (\d+)/)?.[1]).toBe('503');
  expect(answers).toContain('Retry-After: 1');
  expect((await gateway.as(caller).graphql('{ __typename }')).status).toBe(200);

  for (const socket of sockets) socket.destroy();
  const large = () => gateway.as(caller).graphql('{ __typename }', { x: 'y'.repeat(1_500_000) });
  await until(async () => (await large()).status !== 503);
  expect((await large()).data).toEqual({ __typename: 'Query' });
});
