const config = require('./jest.unit.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');

/**
 * `npm test`: as much as five minutes allow, without a server. `npm run test:all` adds what needs MariaDB or Redis, and
 * `test/system`.
 */
module.exports = {
  ...config,
  // End-to-end suites wait more than half of the time, and each group keeps a worker busy until the end.
  maxWorkers: 5,
  testMatch: writeGroups({ unit: 3, e2e: 5 }),
};
