const { default: TestSequencer } = require('@jest/test-sequencer');

/** Suites that take a minute or more with `TEST_ROUNDS=full`: begun last, they would keep one worker busy and the others idle. */
const LONGEST = ['transaction-chaos', 'delivery-kills', 'audit-kills', 'rolling-update'];

const isLong = ({ path }) => LONGEST.some((name) => path.includes(name));

/** Begins with the longest suites; where jest remembers how long suites took, the others follow in its own order. */
class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

module.exports = LongestFirst;
module.exports.LONGEST = LONGEST;
