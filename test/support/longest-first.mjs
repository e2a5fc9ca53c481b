import Sequencer from '@jest/test-sequencer';

/**
 * Begun last, one of these would keep one worker busy after all others have ended. Jest knows times of an earlier run
 * only.
 */
const LONGEST = [
  'docs/commands',
  'pages/browser',
  'console/screens',
  'console/tasks',
  'cli/statements',
  'demo/demo-data',
  'cli/import-command',
  'console/visits',
  'platform/graphql/differential/differential',
  'cli/events',
  'cli/keys',
  'cli/help',
  'platform/database/replicas',
  'app/workers/reload',
  'reliability/faults',
  'transaction/import-stopped',
  'statement/issue/issuers',
  'lib/embedded-postgres/embedded-postgres',
  'lib/pdf-check/hostile',
].map(name => `/test/${name}.test.ts`);

/** Those that are not in the list come after it. */
function rankOf({ path }) {
  const rank = LONGEST.findIndex(name => path.endsWith(name));
  return rank === -1 ? LONGEST.length : rank;
}

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
