// Builds the page of the console into dist/console, which the gateway serves, if something of it has changed since:
// types and hashes of its GraphQL documents into src/generated, and then the page. The documents are checked against the
// schema files, that of production and what the sandbox adds. A production gateway leaves out the documents that it
// could not answer. With --watch it goes on, and builds again after each change.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '../../../.ci/files.mjs';
import { BUILD, GENERATED, PAGE, SCHEMAS, SHARED } from './files.mjs';

const OUT = join('dist', 'console');
const ROOT = join(import.meta.dirname, '..', '..', '..');
const STAMP = '.stamp';
/** An editor saves several files at once. */
const SETTLED_MS = 100;

/** Gives whether the page could be built. Says on standard error why not. It runs in the root of the repository. */
export async function buildConsole() {
  const stamp = stampNow();
  const stampFile = join(OUT, STAMP);
  if (existsSync(stampFile) && existsSync(GENERATED) && readFileSync(stampFile, 'utf8') === stamp) return true;
  // What it needs takes longer to load than to find that nothing has changed.
  const { BadDocuments, buildInto } = await import('./page.mjs');
  // Another process may build as well, or read what is there.
  const folder = `${OUT}-${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    await buildInto(folder);
    writeFileSync(join(folder, STAMP), stamp);
    rmSync(OUT, { recursive: true, force: true });
    renameSync(folder, OUT);
    return true;
  } catch (error) {
    // esbuild has told its own errors.
    if (!('errors' in error)) process.stderr.write(`${error instanceof BadDocuments ? error.message : error.stack}\n`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Builds again after each change. A gateway that `npm run dev` watches reads the page when it starts, so it is started
 * again.
 */
function buildOnChange() {
  let settled;
  const build = async () => {
    const now = new Date();
    if (await buildConsole()) utimesSync(join('dist', 'src', 'main.js'), now, now);
  };
  watch(PAGE, { recursive: true }, (_, file) => {
    if (file?.startsWith('generated')) return;
    clearTimeout(settled);
    settled = setTimeout(() => void build(), SETTLED_MS);
  });
}

function stampNow() {
  const hash = createHash('sha256');
  const files = [PAGE, SHARED, BUILD].flatMap(folder => filesIn(folder)).filter(path => !path.startsWith(GENERATED));
  const settings = [...SCHEMAS, 'package-lock.json'].filter(path => existsSync(path));
  for (const path of [...files, ...settings].sort((one, other) => (one < other ? -1 : 1))) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\n${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  process.chdir(ROOT);
  process.exitCode = (await buildConsole()) ? 0 : 1;
  if (process.argv.includes('--watch')) buildOnChange();
}
