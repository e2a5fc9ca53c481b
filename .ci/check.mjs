// `npm run check` runs all checks, also after a failure, so that one run shows everything that is wrong.
// `npm run check -- types lint` runs some. docs/cookbook.md says what each of them is for.
import { chosenOf, isDone } from './steps.mjs';

const CHECKS = {
  format: 'prettier --check --log-level warn .',
  lint: 'node .ci/compile.mjs && oxlint --deny-warnings',
  types: 'tsc -p . && tsc -p test && node packages/console/build/build.mjs && tsc -p packages/console',
  budget: 'node .ci/budget.mjs',
  imports: 'depcruise --config .dependency-cruiser.mjs src lib migrations packages',
  schema: 'node .ci/compile.mjs --without-console && node dist/src/cli/dev.js schema --check',
  client: 'node .ci/compile.mjs --without-console && node .ci/client.mjs --check && tsc -p packages/client',
  events: 'node .ci/compile.mjs && node dist/src/cli/dev.js events --check',
  data: 'node .ci/compile.mjs --without-console && node dist/src/cli/dev.js data --check',
  settings: 'node .ci/compile.mjs --without-console && node dist/src/cli/dev.js settings --check',
  renames: 'node .ci/renames.mjs --check',
  evidence: 'node .ci/evidence.mjs --check',
  'schema-changes': 'node .ci/schema-changes.mjs',
  openapi:
    'node .ci/compile.mjs && node dist/src/cli/dev.js openapi > dist/openapi.json && REDOCLY_SUPPRESS_UPDATE_NOTICE=true redocly lint --config .redocly.yaml dist/openapi.json',
  migrations: 'node .ci/compile.mjs && node dist/src/cli/dev.js migration check',
};

const failed = [];
for (const name of chosenOf(CHECKS)) {
  // What runs the compiled code would only repeat the compiler's errors.
  if (failed.includes('types') && CHECKS[name].startsWith('node .ci/compile.mjs')) {
    console.log(`skipped ${name}: mend the types first`);
  } else if (!isDone(name, CHECKS[name])) {
    failed.push(name);
  }
}
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}. \`npm run fix\` mends what a tool can mend.`);
  process.exitCode = 1;
}
