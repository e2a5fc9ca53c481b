import type { IncomingMessage } from 'node:http';
import { stripIgnoredCharacters } from 'graphql';
import type { Exchange } from '../../platform/http/exchange.js';
import { EXAMPLE_OPERATIONS } from '../examples.js';
import { BASE_STYLE, MARK, NAME, escapeHtml, sendPage } from './page.js';

export interface StartOptions {
  readonly explorer: boolean;
  readonly devIssuer: boolean;
  readonly metrics: boolean;
  readonly console: boolean;
  /** True if things can be made to happen. */
  readonly sandbox: boolean;
  readonly token: string | null;
}

const SUMMARY =
  'A GraphQL gateway over a banking domain (accounts, owners, beneficiaries, transactions, statements and cards), with a REST contract beside it.';

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

/** Sends the page that says what this is, and where to go from here. */
export async function sendStart(exchange: Exchange, options: StartOptions): Promise<void> {
  const { explorer, devIssuer, metrics, console, sandbox: hasSandbox, token } = options;
  const origin = originOf(exchange.request);
  const graphiql = linkHtml(
    '/graphiql',
    'GraphiQL',
    'Write and run GraphQL in the browser. All of it comes from this gateway.',
  );
  const sandbox = linkHtml(
    '/graphql',
    'Apollo Sandbox',
    "Write and run GraphQL in Apollo's explorer, which is loaded from Apollo's servers.",
  );
  const links = [
    ...(console ? [linkHtml('/console', 'Console', 'What the people who run a program work with.')] : []),
    ...(explorer ? [graphiql, sandbox] : []),
    linkHtml('/docs', 'API reference', 'Every REST route with its parameters, answers and errors.'),
    linkHtml('/problems', 'Problems', 'Every error code, what it means and what to do.'),
  ];
  const addresses = [
    addressHtml('POST', '/graphql', 'GraphQL'),
    addressHtml('GET', '/openapi.json', 'The REST routes as an OpenAPI document'),
    devIssuer ? addressHtml('POST', '/oauth/token', 'Access tokens, from the development issuer') : '',
    addressHtml('GET', '/livez', 'Whether the process runs'),
    addressHtml('GET', '/readyz', 'Whether the process can answer requests'),
    metrics ? addressHtml('GET', '/metrics', 'Metrics for Prometheus') : '',
  ];
  await sendPage(exchange, {
    title: NAME,
    style: BASE_STYLE + STYLE,
    body: `<main>
<header>${MARK}<div><h1>${NAME}</h1><p>${SUMMARY}</p></div></header>
<h2>Look around</h2>
<ul class="links">${links.join('')}</ul>
${token === null ? issuerHtml(devIssuer) : tryHtml({ explorer, hasSandbox }, token, origin)}
<h2>Addresses</h2>
<dl>${addresses.join('')}</dl>
</main>`,
    script: SCRIPT,
    data: { origin },
    rights: nonce => ({ scriptSrc: [`'nonce-${nonce}'`], styleSrc: [`'nonce-${nonce}'`], imgSrc: ['data:'] }),
  });
}

/** The commands answer with the data that the token opens. */
function tryHtml(
  { explorer, hasSandbox }: { readonly explorer: boolean; readonly hasSandbox: boolean },
  token: string,
  origin: string,
): string {
  const body = JSON.stringify({ query: stripIgnoredCharacters(EXAMPLE_OPERATIONS[0].query) });
  const isJson = "-H 'Content-Type: application/json'";
  return `<h2>Try it</h2>
<p>The data is invented. This token is valid for an hour; reload the page for a new one.</p>
${exampleHtml('token', 'A token, for the shell', [`export TOKEN=${token}`])}
${exampleHtml('rest', 'REST', [`curl -s ${quoted(`${origin}/accounts/demo-1001/beneficiaries?limit=1`)}`, BEARER])}
${exampleHtml('graphql', 'GraphQL', [`curl -s ${quoted(`${origin}/graphql`)}`, BEARER, isJson, `-d ${quoted(body)}`])}
${explorer ? EXPLORERS : ''}
${hasSandbox ? happenHtml(origin) : ''}`;
}

/** In the sandbox: a payment, and the month after it. */
function happenHtml(origin: string): string {
  const post = (path: string, body: object): string[] => [
    `curl -s ${quoted(`${origin}/simulate/${path}`)}`,
    BEARER,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(body))}`,
  ];
  return `<h2>Make something happen</h2>
<p>In development payments, purchases by card and the time itself come by request. The <a href="/docs">API reference</a> has all of <code>/simulate</code>.</p>
${exampleHtml('happen', 'A salary comes in', post('ach-credit', { accountId: 'demo-1001' }))}
${exampleHtml('month', 'A month passes, and statements appear', post('clock', { forward: 'P1M' }))}`;
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

function linkHtml(path: string, title: string, what: string): string {
  return `<li><a href="${path}"><strong>${title}</strong><span>${what}</span></a></li>`;
}

function addressHtml(method: 'GET' | 'POST', path: string, what: string): string {
  const shown = `<code>${method} ${path}</code>`;
  return `<dt>${method === 'GET' ? `<a href="${path}">${shown}</a>` : shown}</dt><dd>${what}</dd>`;
}

/** Where the reader's browser found this gateway. */
function originOf({ headers: { host = '' }, socket }: IncomingMessage): string {
  const shown = /^[A-Za-z0-9.:_[\]-]{1,255}$/.test(host) ? host : 'localhost';
  return `${'encrypted' in socket ? 'https' : 'http'}://${shown}`;
}

const STYLE = `
.links { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: .75rem; padding: 0; margin: 0; list-style: none; }
.links a { display: block; height: 100%; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); color: inherit; text-decoration: none; }
.links a:hover { border-color: var(--accent); }
.links strong { color: var(--accent); }
.links span { display: block; color: var(--soft); font-size: .92rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; }
dd { margin: 0; color: var(--soft); }
.example { margin: .75rem 0; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: hidden; }
.example > div { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 2.75rem; padding: .4rem .5rem .4rem 1rem; border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; }
#token code { display: block; overflow: hidden; text-overflow: ellipsis; }
button { padding: .3rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: none; color: var(--accent); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;
