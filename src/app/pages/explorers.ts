import type { Exchange } from '../../platform/http/exchange.js';
import { EXAMPLE_OPERATIONS, LIVE_EXAMPLE, SANDBOX_EXAMPLE } from '../examples.js';
import type { Bundle } from './bundle.js';
import { BASE_STYLE, MARK, NAME, sendPage } from './page.js';

// GraphiQL keeps the tabs in the browser, and not their headers, as they hold tokens. So it is handed the tabs of the
// last visit with their headers made anew, under a fresh token; it would open them without any, and one more that is
// empty.
const GRAPHIQL_SCRIPT = `
const TABS = 'graphiql:tabState';
const { tabs: kept } = JSON.parse(localStorage.getItem(TABS) ?? '{}');
const headersOf = query => data.tabs.find(tab => tab.query === query)?.headers ?? data.options.defaultHeaders;
const defaultTabs = kept?.length ? kept.map(({ query, variables }) => ({ query, variables, headers: headersOf(query) })) : data.tabs;
const storage = {
  getItem: key => (key === TABS ? null : localStorage.getItem(key)),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: key => localStorage.removeItem(key),
  clear: () => localStorage.clear(),
};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => data.workers[label] ?? data.workers.editorWorkerService };
// The name is that of a moment ago: whoever typed another one and was quick means what is there now.
async function fetcher({ query, operationName: name, variables }, { headers } = {}) {
  const operationName = query.split(/\\W/).includes(name) ? name : undefined;
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: data.accept, ...headers },
    body: JSON.stringify({ query, operationName, variables }),
  });
  const isStream = response.headers.get('content-type').startsWith('multipart/mixed');
  return isStream ? resultsIn(response.body) : response.json();
}
// The results of a subscription, until GraphiQL wants no more.
function resultsIn(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const results = [];
  let text = '';
  return {
    async next() {
      while (results.length === 0) {
        const { done, value } = await reader.read();
        if (done) return { done };
        const parts = (text + value).split('\\r\\n--graphql');
        text = parts.pop();
        for (const part of parts) {
          const { payload, errors } = JSON.parse(part.split('\\r\\n\\r\\n')[1] ?? '{}');
          if (payload || errors) results.push(payload ?? { errors });
        }
      }
      return { done: false, value: results.shift() };
    },
    async return() {
      await reader.cancel();
      return { done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...data.options, defaultTabs, storage, fetcher, onEditQuery() {} });
`;

// GraphiQL means to drag the tabs, and moves one that is pressed for the first time away from under the pointer, so
// that nothing is clicked.
const GRAPHIQL_STYLE = `
body { margin: 0; }
#root { height: 100vh; }
.graphiql-tab { transform: none !important; }
`;

export interface GraphiqlOptions {
  readonly introspection: boolean;
  /** Whether things can be made to happen. */
  readonly sandbox: boolean;
  readonly token: string | null;
}

/**
 * GraphiQL, with nothing from another host. Without `introspection` it does not ask for the schema, and operations are
 * written by heart.
 */
export async function sendGraphiql(
  exchange: Exchange,
  bundle: Bundle,
  { introspection, sandbox, token }: GraphiqlOptions,
): Promise<void> {
  const at = await bundle.addresses();
  if (!at) return sendNotInstalled(exchange, 'GraphiQL', '@graphql-yoga/render-graphiql');
  const authorization = { Authorization: `Bearer ${token ?? ''}` };
  const json = (value: object | undefined) => value && JSON.stringify(value, null, 2);
  await sendPage(exchange, {
    title: `GraphiQL - ${NAME}`,
    head: `<link rel="stylesheet" href="${at('graphiql.css')}">\n`,
    style: GRAPHIQL_STYLE,
    body: '<noscript>GraphiQL needs JavaScript.</noscript>\n<div id="root"></div>',
    source: at('graphiql.js'),
    script: GRAPHIQL_SCRIPT,
    data: {
      workers: {
        editorWorkerService: at('editor.worker.js'),
        graphql: at('graphql.worker.js'),
        json: at('json.worker.js'),
      },
      accept: 'multipart/mixed; boundary=graphql; subscriptionSpec=1.0, application/json',
      tabs: [...EXAMPLE_OPERATIONS, ...(sandbox ? [SANDBOX_EXAMPLE] : []), LIVE_EXAMPLE].map(
        ({ query, variables, headers }) => ({
          query,
          variables: json(variables),
          headers: json({ ...authorization, ...headers }),
        }),
      ),
      options: {
        title: NAME,
        logo: MARK,
        defaultHeaders: json(authorization),
        shouldPersistHeaders: false,
        // Null is a schema that GraphiQL need not ask for.
        ...(!introspection && { schema: null }),
      },
    },
    rights: nonce => ({
      scriptSrc: ["'self'", `'nonce-${nonce}'`],
      workerSrc: ["'self'"],
      // The editor writes its colours and positions into style elements that bear no nonce.
      styleSrc: ["'self'", "'unsafe-inline'"],
      fontSrc: ['data:'],
      imgSrc: ['data:'],
      connectSrc: ["'self'"],
    }),
  });
}

/** The reference of the REST routes, which reads `/openapi.json`. */
export async function sendReference(exchange: Exchange, bundle: Bundle, token: string | null): Promise<void> {
  const at = await bundle.addresses();
  if (!at) return sendNotInstalled(exchange, 'The API reference', '@scalar/fastify-api-reference');
  await sendPage(exchange, {
    title: `API reference - ${NAME}`,
    style: 'body { margin: 0; }',
    body: '<noscript>The reference needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>\n<div id="reference"></div>',
    // Zod, which is in it, would otherwise try whether the policy lets it compile code.
    before: 'self.__zod_globalConfig = { jitless: true };\n',
    source: at('reference.js'),
    script: "Scalar.createApiReference('#reference', data);\n",
    data: {
      url: '/openapi.json',
      // All that would ask another host, or sends its reader to one.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      ...(token && {
        authentication: { preferredSecurityScheme: 'accessToken', securitySchemes: { accessToken: { token } } },
      }),
    },
    rights: nonce => ({
      scriptSrc: ["'self'", `'nonce-${nonce}'`],
      // It brings its style in elements that bear no nonce.
      styleSrc: ["'unsafe-inline'"],
      imgSrc: ['data:'],
      connectSrc: ["'self'"],
    }),
  });
}

/** The packages of the explorers are optional, and production leaves them out. */
async function sendNotInstalled(exchange: Exchange, what: string, npmPackage: string): Promise<void> {
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

/** Apollo's script and frame of the second version; within it Apollo keeps the two in step with each other. */
const APOLLO_SCRIPT = 'https://embeddable-sandbox.cdn.apollographql.com/v2/embeddable-sandbox.umd.production.min.js';
const APOLLO_FRAME = 'https://sandbox.embed.apollographql.com';

/** Stands for the token of the demo data in what the frame gets. */
const DEMO_TOKEN = 'Bearer demo-token';

// The headers of the first operation travel to Apollo in the address of its frame, so the token is not among them:
// requests leave from this page, which puts it in. The script is loaded when the page is shown, as a network that
// swallows requests would otherwise keep it blank.
const SANDBOX_SCRIPT = `
const script = document.createElement('script');
script.onload = () => {
  document.getElementById('away').remove();
  new EmbeddedSandbox({
    target: '#sandbox',
    initialEndpoint: new URL('/graphql', location.href).href,
    initialState: { ...data.operation, includeCookies: false, pollForSchemaUpdates: false },
    hideCookieToggle: true,
    endpointIsEditable: false,
    runTelemetry: false,
    allowDynamicStyles: false,
    handleRequest(endpoint, options) {
      const headers = new Headers(options.headers);
      if (data.token && headers.get('authorization') === data.placeholder) headers.set('authorization', 'Bearer ' + data.token);
      return fetch(endpoint, { ...options, headers });
    },
  });
};
script.onerror = () => document.getElementById('away').classList.add('failed');
script.nonce = document.currentScript.nonce;
script.src = data.script;
document.head.append(script);
`;

const SANDBOX_STYLE = `
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
#sandbox, #sandbox iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
#sandbox:empty { display: none; }
#away { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
#away h1 { font-size: 1.5rem; margin: 1rem 0 .5rem; }
#away:not(.failed) .failure { display: none; }
#away a { color: light-dark(#0f766e, #5eead4); font-weight: 600; }
`;

/**
 * Apollo Sandbox: the one page that loads something from another host. Until that is there, the page points to the
 * explorer that needs none.
 */
export async function sendSandbox(exchange: Exchange, token: string | null): Promise<void> {
  const [{ query, variables = {}, headers }] = EXAMPLE_OPERATIONS;
  await sendPage(exchange, {
    title: `Apollo Sandbox - ${NAME}`,
    style: SANDBOX_STYLE,
    body: `<main id="away">
${MARK}
<h1>Apollo Sandbox</h1>
<p class="failure" role="alert">Apollo's servers cannot be reached from this browser.</p>
<p>Apollo Sandbox comes from Apollo's servers. If they cannot be reached, use <a href="/graphiql">GraphiQL</a>, which this gateway serves.</p>
</main>
<div id="sandbox"></div>`,
    script: SANDBOX_SCRIPT,
    data: {
      script: APOLLO_SCRIPT,
      token,
      placeholder: DEMO_TOKEN,
      operation: {
        document: query,
        variables,
        headers: { Authorization: token ? DEMO_TOKEN : 'Bearer ', ...headers },
      },
    },
    rights: nonce => ({
      scriptSrc: [`'nonce-${nonce}'`],
      styleSrc: [`'nonce-${nonce}'`],
      imgSrc: ['data:'],
      frameSrc: [APOLLO_FRAME],
      connectSrc: ["'self'"],
    }),
  });
}
