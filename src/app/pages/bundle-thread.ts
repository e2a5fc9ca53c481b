import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

/** A file of a page, as it is sent. */
export interface PackedFile {
  readonly name: string;
  /**
   * The digest of the unpacked text: the same text has the same address in every process, and another text another one.
   */
  readonly digest: string;
  readonly type: string;
  /** By gzip, which every browser takes, over plain HTTP too. */
  readonly packed: Uint8Array;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The texts of `@graphql-yoga/render-graphiql/graphiql`, which declares none. */
interface GraphiqlBuild {
  readonly js: string;
  readonly css: string;
  readonly editorWorkerService: string;
  readonly graphqlWorker: string;
  readonly jsonWorker: string;
}
const GRAPHIQL: string = '@graphql-yoga/render-graphiql/graphiql';

/** GraphiQL with its editor, as it was built for graphql-yoga. */
export async function graphiql(): Promise<PackedFile[]> {
  const built = (await import(GRAPHIQL)) as GraphiqlBuild;
  return [
    pack('graphiql.js', SCRIPT, built.js),
    pack('graphiql.css', STYLE, built.css),
    pack('editor.worker.js', SCRIPT, built.editorWorkerService),
    pack('graphql.worker.js', SCRIPT, built.graphqlWorker),
    pack('json.worker.js', SCRIPT, built.jsonWorker),
  ];
}

/**
 * Scalar's API reference. The smallest package that has the built script is a plugin for Fastify, which has it as one
 * string literal: only that literal is evaluated, and nothing that the plugin itself needs is loaded.
 */
export async function reference(): Promise<PackedFile[]> {
  const plugin = await readFile(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8');
  const literal = /^var standalone_default = (".*");$/m.exec(plugin)?.[1];
  if (literal === undefined) throw new Error('@scalar/fastify-api-reference has no script where it was');
  return [pack('reference.js', SCRIPT, String(runInNewContext(literal)))];
}

function pack(name: string, type: string, text: string): PackedFile {
  return { name, type, digest: hash('sha256', text, 'base64url').slice(0, 22), packed: gzipSync(text, { level: 9 }) };
}
