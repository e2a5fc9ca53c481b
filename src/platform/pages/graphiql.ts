import type { Exchange } from '../http/exchange.js';
import type { Bundle } from './bundle.js';
import type { ExampleOperation } from './example-operation.js';
import { MARK, sendPage } from './page.js';

export interface GraphiqlOptions {
  readonly name: string;
  readonly operations: readonly ExampleOperation[];
  /** Whether the schema may be asked for. Without it, operations are written by heart. */
  readonly introspection: boolean;
  readonly token: string | null;
  readonly bundle: Bundle;
}

// GraphiQL keeps the tabs in the browser, and not their headers, as they hold tokens. So it is handed the tabs of the last visit with their
// headers made anew, under a fresh token; it would open them without any, and one more that is empty.
const SCRIPT = `
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
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query, operationName, variables }),
  });
  return response.json();
}
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...data.options, defaultTabs, storage, fetcher, onEditQuery() {} });
`;

// GraphiQL means to drag the tabs, and moves one that is pressed for the first time away from under the pointer, so that nothing is clicked.
const STYLE = `
body { margin: 0; }
#root { height: 100vh; }
.graphiql-tab { transform: none !important; }
`;

/** GraphiQL, with nothing from outside. */
export async function sendGraphiql(exchange: Exchange, options: GraphiqlOptions): Promise<void> {
  const { name, operations, introspection, token, bundle } = options;
  const at = await bundle.addresses();
  const authorization = { Authorization: `Bearer ${token ?? ''}` };
  const json = (value: object | undefined) => value && JSON.stringify(value, null, 2);
  await sendPage(exchange, {
    title: `GraphiQL - ${name}`,
    head: `<link rel="stylesheet" href="${at('graphiql.css')}">\n`,
    style: STYLE,
    body: '<noscript>GraphiQL needs JavaScript.</noscript>\n<div id="root"></div>',
    source: at('graphiql.js'),
    script: SCRIPT,
    data: {
      workers: {
        editorWorkerService: at('editor.worker.js'),
        graphql: at('graphql.worker.js'),
        json: at('json.worker.js'),
      },
      tabs: operations.map(({ query, variables, headers }) => ({
        query,
        variables: json(variables),
        headers: json({ ...authorization, ...headers }),
      })),
      options: {
        title: name,
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
