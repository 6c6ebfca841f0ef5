const config = require('./jest.config.cjs');

/** `npm run test:unit`: all but test/e2e and the suites named `*.server.spec.ts`. No server is started, and nothing needs a build. */
module.exports = {
  ...config,
  testRegex: '/(src|test)/(?!e2e/)(?!.*\\.server\\.spec\\.ts$).*\\.spec\\.ts$',
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFiles: [...config.setupFiles, '<rootDir>/test/support/no-servers.ts'],
};
