const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');

/** `npm run test:unit`: all but test/e2e, test/system and the suites named `*.server.spec.ts`. No server is started, and nothing needs a build. */
module.exports = {
  ...config,
  // Half of the time they wait for timers and servers of their own.
  maxWorkers: 4,
  testRegex: undefined,
  testMatch: writeGroups(['unit']),
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFiles: [...config.setupFiles, '<rootDir>/test/support/no-servers.ts'],
};
