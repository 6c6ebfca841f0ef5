const { default: TestSequencer } = require('@jest/test-sequencer');

/**
 * Suites that take a minute or more with `TEST_ROUNDS=full`. If they started last, they would keep one worker busy
 * while the others are idle.
 */
const LONGEST = ['transaction-chaos', 'delivery-kills', 'audit-kills', 'approval-kills', 'rolling-update'];

/** Groups of unit suites take less than a minute; groups of the others take several. */
const SHORT = /unit-\d+\.spec\.js$/;

function rankOf({ path }) {
  if (LONGEST.some((name) => path.includes(name))) return 0;
  return SHORT.test(path) ? 2 : 1;
}

/**
 * Starts the longest suites first, and the groups of unit suites last. In between is Jest's own order, which depends on
 * earlier durations if it knows them.
 */
class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

module.exports = LongestFirst;
module.exports.LONGEST = LONGEST;
