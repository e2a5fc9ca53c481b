import { createServer, request } from 'node:http';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { MIMEType } from 'node:util';

/** Names the exchange whose answer is to be given. */
const EXCHANGE = 'x-conformance-exchange';
const MAX_DEPTH = 100;
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
 * What is left out, since Prism fails at it: HEAD, which it takes for a method of its own; paths with characters that
 * no URI has, or that are not UTF-8; content types that are none, or of another character set; JSON that is none, is no
 * object or list, is nested deeply, or may have wrong names that a header cannot repeat; answers in zstd.
 */
function isForPrism({ method, path, headers, body, answer }) {
  if (method === 'HEAD' || answer.headers['content-encoding'] === 'zstd') return false;
  if (/["<>\\^`{|}]/.test(path) || !canBe(() => decodeURIComponent(path))) return false;
  const sent = headers['content-type'];
  if (sent === undefined) return true;
  if (!canBe(() => new MIMEType(sent))) return false;
  const { subtype, params } = new MIMEType(sent);
  if ((params.get('charset') ?? 'utf-8').toLowerCase() !== 'utf-8') return false;
  if (body === '' || !/\bjson\b/.test(subtype)) return true;
  const text = Buffer.from(body, 'base64').toString();
  const isRepeatable = answer.status < 400 || /^[\s\x20-\x7e]*$/.test(text);
  return canBe(() => JSON.parse(text)) && /^\s*[[{]/.test(text) && depthOf(text) <= MAX_DEPTH && isRepeatable;
}

/** How deeply a JSON text is nested. */
function depthOf(text) {
  let [depth, deepest] = [0, 0];
  for (const [sign] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[{}\]]/g)) {
    depth += '[{'.includes(sign) ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function canBe(read) {
  try {
    read();
    return true;
  } catch {
    return false;
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
