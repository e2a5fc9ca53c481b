import type { Exchange } from '../../platform/http/exchange.js';
import { BASE_STYLE, MARK, NAME, sendPage } from './page.js';

/** The packages of GraphiQL and of the API reference are optional, and production leaves them out. */
export async function sendNotInstalled(exchange: Exchange, what: string, npmPackage: string): Promise<void> {
  await sendPage(exchange, {
    status: 404,
    title: `${what} - ${NAME}`,
    style: BASE_STYLE,
    body: `<main>
<header>${MARK}<h1>${what}</h1></header>
<p>${what} is not installed: install the package <code>${npmPackage}</code> where the gateway runs, and restart it.</p>
</main>`,
    rights: nonce => ({ styleSrc: [`'nonce-${nonce}'`], imgSrc: ['data:'] }),
  });
}
