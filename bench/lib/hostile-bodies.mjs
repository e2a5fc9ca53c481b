// A client that sends large bodies over many connections. A thread of its own: see attacks.mjs.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { send } from './send-graphql.mjs';

const BYTES = 1_000_000;
const DOCUMENT = 260_000;
const SHORT_DOCUMENT = 60_000;
// An operation that reads no row, so that the cost is that of the body.
const QUERY = '"query":"{__typename}"';

/** @type {Record<string, (n: number) => string>} */
const SHAPES = {
  // A new document each time, most of it a comment: as long as a document may be, and so short that a megabyte is many.
  comments: n => commented(n, DOCUMENT),
  shortComments: n => commented(n, SHORT_DOCUMENT),
  // A variable that the operation does not declare, with as many values as fit.
  objects: () => `{${QUERY},"variables":{"x":["\\u003a"${',{}'.repeat(BYTES / 3)}]}}`,
  escapes: () => `{${QUERY},"variables":{"x":"${'\\u003a'.repeat(BYTES / 6)}"}}`,
  // As many names as a body may have, the last of them twice.
  names: () =>
    `{${QUERY},"variables":{${Array.from({ length: 9_000 }, (_, n) => `"${'n'.repeat(90)}${n}":":"`).join()},"a":1,"a":2}}`,
  text: () => `{${QUERY},"variables":{"x":"${'x'.repeat(BYTES)}"}}`,
};

function commented(n, length) {
  return `{"query":"{__typename} #${`${n.toString(36).padStart(4, 'x')} `.repeat(length / 5)}"}`;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
if (!isMainThread) parentPort.postMessage(await attack(workerData));

async function attack({ url, authorization, seconds, connections, shape }) {
  const statuses = {};
  const endMs = performance.now() + seconds * 1000;
  let [made, bytes] = [0, 0];
  const one = async () => {
    while (performance.now() < endMs) {
      const body = SHAPES[shape]((made += 1));
      const status = await send(url, authorization, body);
      if (status !== 429) bytes += body.length;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return { megabytes: bytes / 1e6, statuses };
}
