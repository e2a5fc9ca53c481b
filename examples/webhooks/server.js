// An HTTP server for webhooks. `verify` gives the event of a request, or a promise of it, or throws.

import { createServer } from 'node:http';
import { Inbox } from './inbox.js';

/** Events are small. Somebody else may send more. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Prints a line about each new event. Put your own work in its place, or better: store the event, and work later. */
const inbox = new Inbox((id, { type, timestamp, data }) =>
  console.log(`${timestamp}  ${type}  ${id}  ${JSON.stringify(data)}`),
);

export function serve(verify, port) {
  const server = createServer((request, response) => {
    void statusOf(request, verify).then(status => response.writeHead(status).end());
  });
  server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
}

/** Never rejects: whatever goes wrong has a status. */
async function statusOf(request, verify) {
  if (request.method !== 'POST') return 405;
  let event;
  try {
    event = await verify(request.headers, await bodyOf(request));
  } catch (error) {
    console.log(`refused: ${error.message}`);
    return 400;
  }
  // If this throws, the answer is 500 and the gateway sends the event again.
  try {
    const id = request.headers['webhook-id'];
    if (!inbox.take(id, event)) console.log(`again: ${id}`);
    return 204;
  } catch (error) {
    console.error(error);
    return 500;
  }
}

async function bodyOf(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
