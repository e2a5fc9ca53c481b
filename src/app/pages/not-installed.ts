import { existsSync } from 'node:fs';
import type { Exchange } from '../../platform/http/exchange.js';
import { fileURLToPath } from 'node:url';
import { BASE_STYLE, MARK, NAME, sendPage } from './page.js';

/** The pages of packages that are optional. Production leaves these out, and so does npm on a Node.js older than 22. */
export const OPTIONAL_PAGES = {
  '@graphql-yoga/render-graphiql': 'GraphiQL',
  '@scalar/fastify-api-reference': 'The API reference',
} as const;
type PagePackage = keyof typeof OPTIONAL_PAGES;

/** The optional packages whose pages cannot be shown. */
export function missingPagePackages(): PagePackage[] {
  return (Object.keys(OPTIONAL_PAGES) as PagePackage[]).filter(name => {
    try {
      return !existsSync(fileURLToPath(import.meta.resolve(name)));
    } catch {
      return true;
    }
  });
}

/** Says how a page of an optional package gets there. */
export async function sendNotInstalled(exchange: Exchange, npmPackage: PagePackage): Promise<void> {
  const what = OPTIONAL_PAGES[npmPackage];
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
