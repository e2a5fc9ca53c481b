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

// What was typed is kept in the browser, as GraphiQL does; headers are not, as they hold tokens. So each visit fills the token in anew.
const SCRIPT = `
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => data.workers[label] ?? data.workers.editorWorkerService };
async function fetcher({ query, operationName, variables }, { headers } = {}) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query, operationName, variables }),
  });
  return response.json();
}
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...data.options, fetcher, onEditQuery() {} });
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
    style: 'body { margin: 0; } #root { height: 100vh; }',
    body: '<noscript>GraphiQL needs JavaScript.</noscript>\n<div id="root"></div>',
    sources: [at('graphiql.js')],
    script: SCRIPT,
    data: {
      workers: {
        editorWorkerService: at('editor.worker.js'),
        graphql: at('graphql.worker.js'),
        json: at('json.worker.js'),
      },
      options: {
        title: name,
        logo: MARK,
        defaultTabs: operations.map(({ query, variables, headers }) => ({
          query,
          variables: json(variables),
          headers: json({ ...authorization, ...headers }),
        })),
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
