import Sequencer from '@jest/test-sequencer';

/**
 * Begun last, one of these would keep one worker busy after all others have ended. Jest knows times of an earlier run
 * only.
 */
const LONGEST = named([
  'docs/commands',
  'cli/statements',
  'demo/demo-data',
  'cli/import-command',
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
]);

/** Several browsers at once slow each other down until tests exceed their time, so other files run between these. */
const BROWSERS = named(['pages/browser', 'console/screens', 'console/tasks', 'console/visits']);
/** So many take about as long as one of them. */
const FILES_BETWEEN = 40;

function named(names) {
  return names.map(name => `/test/${name}.`);
}

function rankIn(list, { path }) {
  return list.findIndex(name => path.includes(name));
}

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const browsers = sorted.filter(test => rankIn(BROWSERS, test) >= 0);
    const others = sorted.filter(test => !browsers.includes(test));
    const longest = others.filter(test => rankIn(LONGEST, test) >= 0);
    const ordered = [
      ...longest.toSorted((one, other) => rankIn(LONGEST, one) - rankIn(LONGEST, other)),
      ...others.filter(test => !longest.includes(test)),
    ];
    browsers
      .toSorted((one, other) => rankIn(BROWSERS, one) - rankIn(BROWSERS, other))
      .forEach((test, index) => ordered.splice(index * (FILES_BETWEEN + 1), 0, test));
    return ordered;
  }
}
