const { default: TestSequencer } = require('@jest/test-sequencer');

/**
 * Suites that take a minute or more with `TEST_ROUNDS=full`. If they started last, they would keep one worker busy
 * while the others are idle.
 */
const LONGEST = ['transaction-chaos', 'delivery-kills', 'audit-kills', 'rolling-update'];

const isLong = ({ path }) => LONGEST.some((name) => path.includes(name));

/**
 * Starts the longest suites first. The others follow in Jest's own order, which depends on earlier durations if it
 * knows them.
 */
class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

module.exports = LongestFirst;
module.exports.LONGEST = LONGEST;
