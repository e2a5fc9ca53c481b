// Runs every `check:*` script of package.json, also after a failure, so that one run shows everything that is wrong.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const failed = [];
for (const name of Object.keys(scripts).filter(key => key.startsWith('check:'))) {
  // The drift checks run the compiled code: without it they would only repeat the compiler's errors.
  if (failed.includes('check:types') && scripts[name].startsWith('tsc ')) {
    console.log(`skipped ${name}: mend the types first`);
    continue;
  }
  const started = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', name], { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok     ' : 'FAILED '} ${name} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}. \`npm run fix\` mends what a tool can mend.`);
  process.exitCode = 1;
}
