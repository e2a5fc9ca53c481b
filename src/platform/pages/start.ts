import type { IncomingMessage } from 'node:http';
import { stripIgnoredCharacters } from 'graphql';
import type { Exchange } from '../http/exchange.js';
import { BASE_STYLE } from './base.style.js';
import { MARK, escapeHtml, sendPage } from './page.js';
import { START_STYLE } from './start.style.js';

export interface StartOptions {
  readonly name: string;
  /** What it is, in a sentence. */
  readonly summary: string;
  /** For the curl lines; they answer with the data that the token opens. */
  readonly restPath: string;
  readonly query: string;
  readonly explorer: boolean;
  readonly devIssuer: boolean;
  readonly metrics: boolean;
  readonly token: string | null;
}

type Address = readonly [method: 'GET' | 'POST', path: string, what: string];
type Door = readonly [path: string, title: string, what: string];

// Behind a proxy that speaks TLS the browser knows better how this page is reached.
const SCRIPT = `
for (const code of document.querySelectorAll('.example code')) code.textContent = code.textContent.replaceAll(data.origin, location.origin);
for (const button of document.querySelectorAll('.example button')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.onclick = async () => {
    await navigator.clipboard.writeText(button.closest('.example').querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
}
`;

const BEARER = '-H "Authorization: Bearer $TOKEN"';
const EXPLORERS =
  '<p>The same in the browser, with this token filled in: <a href="/graphql">Apollo Sandbox</a> or <a href="/graphiql">GraphiQL</a>.</p>';

/** What this is, and where one goes from here. */
export async function sendStart(exchange: Exchange, options: StartOptions): Promise<void> {
  const { name, summary, explorer, devIssuer, metrics, token } = options;
  const origin = originOf(exchange.request);
  const doors: Door[] = [];
  if (explorer) {
    doors.push(['/graphiql', 'GraphiQL', 'Write and run GraphQL in the browser. All of it comes from this gateway.']);
    doors.push([
      '/graphql',
      'Apollo Sandbox',
      "Write and run GraphQL in Apollo's explorer, which is loaded from Apollo's servers.",
    ]);
  }
  doors.push(['/docs', 'API reference', 'Every REST route with its parameters, answers and errors.']);
  doors.push(['/problems', 'Problems', 'Every error code, what it means and what to do.']);
  const addresses: Address[] = [
    ['POST', '/graphql', 'GraphQL'],
    ['GET', '/openapi.json', 'The REST routes as an OpenAPI document'],
  ];
  if (devIssuer) addresses.push(['POST', '/oauth/token', 'Access tokens, from the development issuer']);
  addresses.push(
    ['GET', '/livez', 'Whether the process runs'],
    ['GET', '/readyz', 'Whether the process can answer requests'],
  );
  if (metrics) addresses.push(['GET', '/metrics', 'Metrics for Prometheus']);
  await sendPage(exchange, {
    title: name,
    style: BASE_STYLE + START_STYLE,
    body: `<main>
<header>${MARK}<div><h1>${escapeHtml(name)}</h1><p>${escapeHtml(summary)}</p></div></header>
<h2>Look around</h2>
<ul class="doors">${doors.map(doorHtml).join('')}</ul>
${token === null ? issuerHtml(devIssuer) : tryHtml(options, token, origin)}
<h2>Addresses</h2>
<dl>${addresses.map(addressHtml).join('')}</dl>
</main>`,
    script: SCRIPT,
    data: { origin },
    rights: nonce => ({ scriptSrc: [`'nonce-${nonce}'`], styleSrc: [`'nonce-${nonce}'`], imgSrc: ['data:'] }),
  });
}

function tryHtml({ restPath, query, explorer }: StartOptions, token: string, origin: string): string {
  const body = JSON.stringify({ query: stripIgnoredCharacters(query) });
  const isJson = "-H 'Content-Type: application/json'";
  return `<h2>Try it</h2>
<p>The data is invented. This token is valid for an hour; reload the page for a new one.</p>
${exampleHtml('token', 'A token, for the shell', [`export TOKEN=${token}`])}
${exampleHtml('rest', 'REST', [`curl -s ${quoted(origin + restPath)}`, BEARER])}
${exampleHtml('graphql', 'GraphQL', [`curl -s ${quoted(`${origin}/graphql`)}`, BEARER, isJson, `-d ${quoted(body)}`])}
${explorer ? EXPLORERS : ''}`;
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function issuerHtml(devIssuer: boolean): string {
  const issuer = devIssuer ? 'the development issuer, at <code>/oauth/token</code>' : "this gateway's issuer";
  return `<h2>Access</h2>
<p>Every request for data needs an access token of ${issuer}: <code>Authorization: Bearer &lt;token&gt;</code>.</p>`;
}

function exampleHtml(id: string, title: string, words: readonly string[]): string {
  const code = words.join(' \\\n  ');
  return `<section class="example" id="${id}" aria-labelledby="${id}-title"><div><h3 id="${id}-title">${title}</h3><button type="button" aria-live="polite" hidden>Copy</button></div><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></section>`;
}

function doorHtml([path, title, what]: Door): string {
  return `<li><a href="${path}"><strong>${title}</strong><span>${what}</span></a></li>`;
}

function addressHtml([method, path, what]: Address): string {
  const shown = `<code>${method} ${path}</code>`;
  return `<dt>${method === 'GET' ? `<a href="${path}">${shown}</a>` : shown}</dt><dd>${what}</dd>`;
}

/** Where the reader's browser found this gateway. */
function originOf({ headers: { host = '' }, socket }: IncomingMessage): string {
  const shown = /^[A-Za-z0-9.:_[\]-]{1,255}$/.test(host) ? host : 'localhost';
  return `${'encrypted' in socket ? 'https' : 'http'}://${shown}`;
}
