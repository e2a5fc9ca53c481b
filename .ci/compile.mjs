// Compiles src, lib, migrations and the nouns of packages into dist if they have changed since it was done last, or
// with --all from scratch. That is known by a stamp over the names, sizes and times of all sources, taken before the
// compiler reads them and kept after it has succeeded: what is changed meanwhile, and what was interrupted, is compiled
// the next time. Then it builds the page of the console, which is no source of the compiler's; --without-console leaves
// that out.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { buildConsole } from '../packages/console/build/build.mjs';
import { filesIn } from './files.mjs';

/** Packages with a compiler run of their own. */
const APART = ['client', 'console'];
const SOURCES = [
  'src',
  'lib',
  'migrations',
  ...readdirSync('packages')
    .filter(name => !APART.includes(name))
    .map(name => join('packages', name, 'src')),
];
/** The compiler's own version is in the lock file. */
const SETTINGS = ['tsconfig.json', 'package-lock.json'];
const STAMP = 'dist/.stamp';

if (process.argv.includes('--all')) rmSync('dist', { recursive: true, force: true });
const files = SOURCES.flatMap(folder => filesIn(folder)).filter(path => !path.split(sep).includes('test'));
const stamp = stampOf([...files, ...SETTINGS.filter(file => existsSync(file))]);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) {
  rmSync(STAMP, { force: true });
  const { status } = spawnSync('tsc', ['-p', '.'], { stdio: 'inherit' });
  if (status === 0) {
    removeOutdated();
    writeFileSync(STAMP, stamp);
  }
  process.exitCode = status ?? 1;
}
if (!process.exitCode && !process.argv.includes('--without-console')) {
  if (!(await buildConsole())) process.exitCode = 1;
}

function stampOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\n${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The compiler leaves what it made of sources that are gone. A migration among it would be applied. */
function removeOutdated() {
  const sources = new Set(files);
  for (const file of ['src', 'lib', 'migrations', 'packages'].flatMap(folder => filesIn(join('dist', folder)))) {
    const source = file.replace(/^dist[\\/]/, '').replace(/(\.d\.ts|\.js(\.map)?)$/, '.ts');
    if (!sources.has(source)) rmSync(file);
  }
}
