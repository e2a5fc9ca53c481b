// Writes the package that is published into dist/package: what is compiled, and a package.json with nothing in it that
// is for working on the sources. `npm pack` and `npm publish` take it from there, since npm publishes package.json as
// it is.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join('dist', 'package');
/** What those who install the package need to know, in this order. */
const PUBLISHED = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'type',
  'exports',
  'bin',
  'files',
  'engines',
  'dependencies',
  'optionalDependencies',
];
/** npm takes these whatever `files` says. */
const ALWAYS = ['README.md', 'LICENSE'];

const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'compile.mjs'), '--all'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const published = Object.fromEntries(PUBLISHED.map(name => [name, manifest[name]]));
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
const wanted = published.files.filter(path => !path.startsWith('!'));
for (const path of [...wanted, ...ALWAYS]) cpSync(path, join(FOLDER, path), { recursive: true });
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
process.stdout.write(`${FOLDER}\n`);
