// Holds the API as it is described against tools that others wrote. Spectral reads the document. Then the tests run, or
// those that the arguments name, and Prism, a proxy, compares each request that they sent over REST, and its answer,
// with the document.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violationsIn } from './prism.mjs';
import { readHttpSettings } from './traffic.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const MAX_SHOWN = 20;

const folder = mkdtempSync(join(tmpdir(), 'tillgate-conformance-'));
try {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, run(process.execPath, [join(root, 'dist/src/cli/dev.js'), 'openapi']));
  run(
    join(here, 'node_modules/.bin/spectral'),
    ['lint', document, '--ruleset', join(here, 'spectral.yaml'), '--fail-severity', 'hint'],
    'inherit',
  );

  const traffic = join(folder, 'traffic.ndjson');
  writeFileSync(traffic, '');
  const env = { ...process.env, TEST_TRAFFIC: traffic };
  const tests = spawnSync('npm', ['run', 'test:all', '--', ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const exchanges = await readHttpSettings(traffic);
  const violations = await violationsIn(document, exchanges);
  for (const violation of violations.slice(0, MAX_SHOWN)) console.log(violation);
  console.log(
    `Prism compared ${exchanges.length} exchanges with the document: ${violations.length} are not as it says.`,
  );
  if (tests.status !== 0 || violations.length > 0 || exchanges.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What a program prints; it has to succeed. */
function run(program, args, stdout = 'pipe') {
  const { status, stdout: printed } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', stdout, 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}`);
  return printed;
}
