import type { Exchange } from '../../platform/http/exchange.js';
import { EXAMPLE_OPERATIONS, LIVE_EXAMPLE, SANDBOX_EXAMPLE } from '../examples.js';
import type { Bundle } from './bundle.js';
import { sendNotInstalled } from './not-installed.js';
import { MARK, NAME, sendPage } from './page.js';

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
// GraphiQL gives the operation name late: a user who typed another one and was quick means the name in the editor.
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
  if (!at) return sendNotInstalled(exchange, '@graphql-yoga/render-graphiql');
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
