// `npm run generate` writes all files that `npm run check` compares with the code. `npm run generate -- events` writes
// one of them, or a file that is only written by its name. docs/cookbook.md says what each of them is.
import { chosenOf, isDone } from './steps.mjs';

const CHECKED = {
  schema: 'node .ci/compile.mjs --without-console && node dist/src/cli/dev.js schema',
  client: 'node .ci/compile.mjs --without-console && node .ci/client.mjs && tsc -p packages/client',
  events: 'node .ci/compile.mjs && node dist/src/cli/dev.js events && prettier --write --log-level warn docs/events.md',
  data: 'node .ci/compile.mjs --without-console && node dist/src/cli/dev.js data && prettier --write --log-level warn docs/data.md',
  settings:
    'node .ci/compile.mjs --without-console && node dist/src/cli/dev.js settings && prettier --write --log-level warn docs/install.md',
  renames: 'node .ci/renames.mjs && prettier --write --log-level warn docs/from-0.2.md',
  evidence: 'node .ci/evidence.mjs && prettier --write --log-level warn docs/controls.md docs/osps-baseline.md',
};
const FILES = {
  ...CHECKED,
  screenshots: 'node .ci/compile.mjs && node --import ./test/cli/sources.mjs test/pages/screenshots.ts',
  sbom: 'npm exec --yes --ignore-scripts --package=@cyclonedx/cyclonedx-npm@6.0.1 -- cyclonedx-npm --package-lock-only --omit dev --no-workspaces --mc-type application --output-reproducible --validate --output-file dist/sbom.cdx.json',
  vex: 'npm audit --package-lock-only --omit dev --json | node .ci/vex.mjs',
};

for (const name of chosenOf(FILES, Object.keys(CHECKED))) {
  if (isDone(name, FILES[name])) continue;
  process.exitCode = 1;
  break;
}
