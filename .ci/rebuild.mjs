// Builds the packages of a release again, from its commit alone, and compares them byte for byte with files that were
// published: `node .ci/rebuild.mjs v1.0.0 tillgate-1.0.0.tgz tillgate-client-1.0.0.tgz`. Needs a package registry.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const [revision, ...files] = process.argv.slice(2);
if (revision === undefined || files.length === 0) {
  console.error('Name the tag of the release and the published files, which `npm pack <package>@<version>` fetches.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'tillgate-rebuild-'));
try {
  run('git', ['clone', '--quiet', '--no-checkout', process.cwd(), folder]);
  run('git', ['checkout', '--quiet', '--detach', revision], folder);
  run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  run('npm', ['run', '--silent', 'package'], folder);
  run('npm', ['pack', '--silent', '--ignore-scripts', './dist/package', './packages/client'], folder);
  for (const file of files) compare(file, join(folder, basename(file)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function compare(published, built) {
  if (!existsSync(built)) {
    console.log(`${published}: ${revision} builds no file of this name`);
    process.exitCode = 1;
    return;
  }
  const isSame = readFileSync(published).equals(readFileSync(built));
  console.log(`${published}: ${isSame ? 'the same' : 'differs'}, sha256 ${sha256(published)}`);
  if (isSame) return;
  console.log(`built from ${revision}: sha256 ${sha256(built)}`);
  process.exitCode = 1;
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function run(command, args, cwd = process.cwd()) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error(`${command} ${args[0]} ended with ${status}.`);
  process.exit(1);
}
