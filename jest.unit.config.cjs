const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');
const { withoutServers } = require('./test/support/without-servers.cjs');

/**
 * `npm run test:unit`: all but test/e2e, test/system and the suites named `*.server.spec.ts`. No server is started, and
 * nothing needs a build.
 */
module.exports = {
  ...withoutServers(config),
  testRegex: undefined,
  testMatch: writeGroups({ unit: 3 }),
};
