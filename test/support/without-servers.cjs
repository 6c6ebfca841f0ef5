/** The configuration for suites that need no server: none is started, and those that need one are skipped. */
const withoutServers = (config) => ({
  ...config,
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFiles: [...config.setupFiles, '<rootDir>/test/support/no-servers.ts'],
});

module.exports = { withoutServers };
