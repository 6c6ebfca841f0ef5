const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');

/**
 * `npm run test:unit`: all but test/e2e, test/system and the suites named `*.server.spec.ts`. No server is started, and
 * nothing needs a build.
 */
module.exports = {
  ...config,
  testRegex: undefined,
  testMatch: writeGroups({ unit: 3 }),
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFiles: [...config.setupFiles, '<rootDir>/test/support/no-servers.ts'],
};
