import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { clientCredentials } from './tokens.js';

// Serves the page, and gives it tokens of one customer. In an app this is the backend that customers sign in to, and
// the secret of the program stays there.
const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
  CUSTOMER_ID: customerId = '0000d001-0000-4000-8000-000000000000',
  PORT: port = '3000',
} = process.env;

const tokens = clientCredentials({ tokenUrl: `${url}/oauth/token`, clientId, clientSecret, customerId });
const page = (await readFile('src/page/index.html', 'utf8')).replace('GATEWAY', url);
const script = await readFile('dist/page/page.js');

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(502).end());
});
server.listen(Number(port), '127.0.0.1', () => console.log(`The page is at http://127.0.0.1:${port}/`));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers } = request;
  const path = request.url?.split('?')[0];
  if (method === 'GET' && path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  else if (method === 'GET' && path === '/page.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  } else if (method === 'POST' && path === '/token' && headers['sec-fetch-site'] === 'same-origin') {
    response.writeHead(200, { 'cache-control': 'no-store' }).end(await tokens(await text(request)));
  } else response.writeHead(404).end();
}
