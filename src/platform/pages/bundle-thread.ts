import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** What a thread of `Bundle` does. */

/** A file of a page, as it is sent. */
export interface PackedFile {
  readonly name: string;
  /** Of the unpacked text: the same text is at the same address in every process, and another text at another. */
  readonly digest: string;
  readonly type: string;
  /** By gzip, which every browser takes, over plain HTTP too. */
  readonly packed: Uint8Array;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** GraphiQL with its editor, as it was built for graphql-yoga. */
export async function graphiql(): Promise<PackedFile[]> {
  const built = await import('@graphql-yoga/render-graphiql/graphiql');
  return [
    pack('graphiql.js', SCRIPT, built.js),
    pack('graphiql.css', STYLE, built.css),
    pack('editor.worker.js', SCRIPT, built.editorWorkerService),
    pack('graphql.worker.js', SCRIPT, built.graphqlWorker),
    pack('json.worker.js', SCRIPT, built.jsonWorker),
  ];
}

interface Route {
  readonly url: string;
  handler(request: null, reply: Reply): void;
}

interface Reply {
  header(): Reply;
  send(text: string): void;
}

interface FastifyPlugin {
  readonly default: (fastify: object, options: object, done: () => void) => void;
}

/**
 * Scalar's API reference, as its plugin for Fastify would serve it: the one package that brings it ready to be served, without the hundreds
 * that it is built from.
 */
export async function reference(): Promise<PackedFile[]> {
  const plugin: FastifyPlugin = await import('@scalar/fastify-api-reference');
  let script = '';
  const reply: Reply = { header: () => reply, send: text => void (script = text) };
  const route = (added: Route): void => {
    if (added.url.endsWith('.js')) added.handler(null, reply);
  };
  const fastify = { initialConfig: {}, hasPlugin: () => false, route };
  plugin.default(fastify, { configuration: { url: '/openapi.json' } }, () => undefined);
  if (!script) throw new Error('@scalar/fastify-api-reference serves no script');
  return [pack('reference.js', SCRIPT, script)];
}

function pack(name: string, type: string, text: string): PackedFile {
  return { name, type, digest: hash('sha256', text, 'base64url').slice(0, 22), packed: gzipSync(text, { level: 9 }) };
}
