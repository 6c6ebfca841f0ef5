const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');

/** `npm run test:all`, which `.ci/run` runs: every suite, on every database. */
module.exports = {
  ...config,
  testRegex: undefined,
  testMatch: writeGroups({ unit: 3, server: 1, e2e: 6, system: 4 }),
};
