// Checks the documents, generates their types, and bundles the page: see build.mjs.
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { build } from 'esbuild';
import { Kind, parse } from 'graphql';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesIn } from '../../../.ci/files.mjs';
import { CODEGEN, readDocuments } from '../../../.ci/graphql-documents.mjs';
import { GENERATED, PAGE, SCHEMAS } from './files.mjs';

export { BadDocuments } from '../../../.ci/graphql-documents.mjs';

const ENTRY = `${PAGE}/main.tsx`;
const ID_CHARACTERS = 16;

/** Throws `BadDocuments`, and what esbuild throws once it has told its errors. */
export async function buildInto(folder) {
  writeFileSync(join(folder, 'operations.json'), JSON.stringify(await writeDocuments(), null, 2));
  writeFileSync(join(folder, 'page.json'), JSON.stringify(await bundle(folder), null, 2));
}

/** Writes the types, and gives the manifest, in the form of Apollo's generate-persisted-query-manifest. */
async function writeDocuments() {
  const { schema, documents } = readDocuments(
    SCHEMAS,
    filesIn(PAGE)
      .filter(path => path.endsWith('.graphql'))
      .sort(),
  );
  mkdirSync(GENERATED, { recursive: true });
  if (documents.length === 0) {
    writeChanged(join(GENERATED, 'graphql.ts'), 'export {};\n');
    return manifestOf({});
  }
  const files = await preset.buildGeneratesSection({
    baseOutputDir: `${GENERATED}/`,
    schema,
    documents,
    // Enums are constants as well, so that the page lists their values from the schema.
    config: { ...CODEGEN, enumType: 'const' },
    presetConfig: {
      fragmentMasking: false,
      persistedDocuments: { mode: 'replaceDocumentWithHash', hashAlgorithm: idOf },
    },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
  });
  // The other files are for operations that stand in the code.
  const [types] = files.filter(({ filename }) => filename.endsWith('/graphql.ts'));
  const code = await codegen(types);
  // Nobody uses the texts of fragments, and without the mark they would be in the page.
  writeChanged(join(GENERATED, 'graphql.ts'), code.replaceAll('= new Typed', '= /* @__PURE__ */ new Typed'));
  const [texts] = files.filter(({ filename }) => filename.endsWith('/persisted-documents.json'));
  return manifestOf(JSON.parse(await codegen(texts)));
}

function manifestOf(texts) {
  const operations = Object.entries(texts).map(([id, body]) => {
    const { name, operation } = parse(body).definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    return { id, name: name.value, type: operation, body };
  });
  return { format: 'apollo-persisted-query-manifest', version: 1, operations };
}

/** Gives the names of the files that the shell of the page refers to. */
async function bundle(folder) {
  const assets = join(folder, 'assets');
  const { metafile } = await build({
    entryPoints: [ENTRY],
    outdir: assets,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    loader: { '.svg': 'file', '.woff2': 'file' },
    metafile: true,
    logLevel: 'warning',
  });
  const nameOf = path => relative(assets, path);
  const [entry, { cssBundle }] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === ENTRY);
  for (const path of Object.keys(metafile.outputs)) pack(path);
  return {
    script: nameOf(entry),
    style: cssBundle ? nameOf(cssBundle) : null,
    // The part of the typeface that every text needs. Browsers load the others where a text has their letters.
    font: nameOf(Object.keys(metafile.outputs).find(path => /-latin-wght-normal-\w+\.woff2$/.test(path))),
    // What each screen loads when it is the first one, with the entry.
    first: Object.keys(metafile.outputs)
      .filter(path => /screens\/(screens|operations)\.ts$/.test(metafile.outputs[path].entryPoint ?? ''))
      .map(path => [...new Set([entry, path].flatMap(one => [one, ...importedBy(one, metafile.outputs)]))].map(nameOf)),
    // What the entry needs at once, so that it is not asked for one after the other.
    preload: [...importedBy(entry, metafile.outputs)].map(nameOf),
  };
}

function importedBy(path, outputs, found = new Set()) {
  for (const { kind, path: imported } of outputs[path].imports) {
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, outputs, found);
  }
  return found;
}

/** Fonts are packed already. */
function pack(path) {
  if (!/\.(js|css|svg)$/.test(path)) return;
  const text = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
}

/** An editor and the compiler look at times. */
function writeChanged(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/**
 * The id of a document: the beginning of its SHA-256, since digits of a hash are what least can be compressed. Each of
 * some hundred documents has another one, and nothing is protected by it.
 */
function idOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, ID_CHARACTERS);
}
