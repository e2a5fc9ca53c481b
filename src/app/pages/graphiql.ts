import type { Exchange } from '../../platform/http/exchange.js';
import { EXAMPLE_OPERATIONS, LIVE_EXAMPLE, SANDBOX_EXAMPLE } from '../examples.js';
import type { Bundle } from './bundle.js';
import { MARK, NAME, sendPage } from './page.js';

// GraphiQL keeps the tabs in the browser, and not their headers, as they may hold tokens. So it is handed the tabs of
// the last visit with the headers of the examples among them; it would open them without any, and one more that is
// empty. What it opens with is run at once if it is the first example, which only reads.
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
  const sent = new Headers({ ...data.authorization, 'content-type': 'application/json', accept: data.accept });
  for (const [header, value] of Object.entries(headers ?? {})) sent.set(header, value);
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: sent,
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
const root = document.getElementById('root');
if (data.authorization && defaultTabs[0].query === data.tabs[0].query) {
  const opening = new MutationObserver(() => {
    if (!root.querySelector('.graphiql-query-editor .view-line')) return;
    opening.disconnect();
    root.querySelector('.graphiql-execute-button').click();
  });
  opening.observe(root, { childList: true, subtree: true });
}
YogaGraphiQL.renderYogaGraphiQL(root, { ...data.options, defaultTabs, storage, fetcher, onEditQuery() {} });
`;

const DEMO_TOKEN_NOTE = '# A token of the demo data is sent with it,\n# unless the headers below name another.\n';

// GraphiQL means to drag the tabs, and moves one that is pressed for the first time away from under the pointer, so
// that nothing is clicked.
const GRAPHIQL_STYLE = `
body { margin: 0; }
#root { height: 100vh; }
.graphiql-tab { transform: none !important; }
`;

export interface GraphiqlOptions {
  readonly introspection: boolean;
  /** True if things can be made to happen. */
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
  // A token that is known is sent with what has no other: in the pane of headers it would leave no place for them.
  const authorization = token === null ? undefined : { Authorization: `Bearer ${token}` };
  const defaultHeaders = token === null ? { Authorization: 'Bearer ' } : undefined;
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
        ({ query, variables, headers }, place) => ({
          query: place === 0 && token !== null ? `${DEMO_TOKEN_NOTE}${query}` : query,
          variables: json(variables),
          headers: json((defaultHeaders ?? headers) && { ...defaultHeaders, ...headers }),
        }),
      ),
      authorization,
      options: {
        title: NAME,
        logo: MARK,
        defaultHeaders: json(defaultHeaders),
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
