import { createServer, request } from 'node:http';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Names the exchange whose answer is to be given. */
const EXCHANGE = 'x-conformance-exchange';
/** What belongs to a connection, not to an answer. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/**
 * The exchanges that the tests recorded, each once however often it came: `{ method, path, headers, body, answer }`.
 */
export async function readHttpSettings(file) {
  const exchanges = new Map();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const exchange = JSON.parse(line);
    if (isForPrism(exchange)) exchanges.set(shapeOf(exchange), exchange);
  }
  return [...exchanges.values()];
}

/**
 * Prism takes HEAD for a method of its own, gives no answer to a body that is not the JSON it says it is, and reads
 * another path out of one with characters that no URI has.
 */
function isForPrism({ method, path, headers, body }) {
  if (method === 'HEAD' || /["<>\\^`{|}]/.test(path)) return false;
  if (!/\bjson\b/.test(headers['content-type'])) return true;
  try {
    JSON.parse(Buffer.from(body, 'base64').toString());
    return true;
  } catch {
    return body === '';
  }
}

/** What makes an exchange another one to who looks at forms: not its ids and its times. */
function shapeOf({ method, path, headers, body, answer }) {
  const names = Object.keys(answer.headers).sort();
  const sent = Object.keys(headers).sort();
  const texts = [path, Buffer.from(body, 'base64').toString(), Buffer.from(answer.body, 'base64').toString()];
  return JSON.stringify([method, answer.status, names, sent, ...texts.map(text => text.replaceAll(/[0-9a-f]+/g, '0'))]);
}

/** Gives each recorded answer to the request that belongs to it. Resolves to its address. */
export async function replay(exchanges) {
  const server = createServer((incoming, outgoing) => {
    const { status, headers, body } = exchanges[Number(incoming.headers[EXCHANGE])].answer;
    for (const name of OF_CONNECTION) delete headers[name];
    incoming.resume().on('end', () => {
      outgoing.writeHead(status, headers);
      outgoing.end(incoming.method === 'HEAD' ? undefined : Buffer.from(body, 'base64'));
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Sends an exchange's request, and gives what is answered: `{ status, headers }`. */
export function send(url, { method, path, headers, body }, index, agent) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, agent, headers: { ...headers, [EXCHANGE]: index } });
    outgoing.setTimeout(30_000, () => outgoing.destroy(new Error('no answer in 30 s')));
    outgoing.on('error', reject);
    outgoing.on('response', incoming => {
      incoming.resume().on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers }));
    });
    const bytes = Buffer.from(body, 'base64');
    if (bytes.length > 0) outgoing.setHeader('content-length', bytes.length);
    outgoing.end(bytes);
  });
}
