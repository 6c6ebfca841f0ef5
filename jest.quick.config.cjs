const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');
const { withoutServers } = require('./test/support/without-servers.cjs');

/**
 * `npm test`: as much as five minutes allow, without a server. `npm run test:all` adds what needs MariaDB or Redis, and
 * `test/system`.
 */
module.exports = {
  ...withoutServers(config),
  testRegex: undefined,
  testMatch: writeGroups({ unit: 3, e2e: 5 }),
  // End-to-end suites wait more than half of the time, and each group keeps a worker busy until the end.
  maxWorkers: 5,
};
