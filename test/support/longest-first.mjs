import Sequencer from '@jest/test-sequencer';

/** Begun last, one of these would keep one worker busy after all others have ended. Jest knows times of an earlier run only. */
const LONGEST = [
  'docs/commands',
  'pages/browser',
  'reliability/faults',
  'cli/help',
  'lib/embedded-postgres/embedded-postgres',
  'lib/pdf-check/hostile',
].map(name => `/test/${name}.test.ts`);

const isLong = ({ path }) => LONGEST.some(name => path.endsWith(name));

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter(test => !isLong(test))];
  }
}
