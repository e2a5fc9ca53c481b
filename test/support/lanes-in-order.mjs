import Sequencer from '@jest/test-sequencer';

/** Long files begin first, since one that begins last would keep one worker busy after all others have ended. */
const LANES = ['docs', 'browser', 'process', 'http', 'pure'];

function rankOf({ context }) {
  return LANES.indexOf(context.config.displayName.name);
}

/** Orders files by their lanes, and within a lane as Jest does: failed ones, then long ones, first. */
export default class LanesInOrder extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
