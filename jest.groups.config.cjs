const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');

/** `npm test`: all suites, most of them in groups. `npx jest <part of a path>` runs single ones. */
module.exports = {
  ...config,
  testRegex: undefined,
  testMatch: writeGroups(['unit', 'server', 'e2e']),
};
