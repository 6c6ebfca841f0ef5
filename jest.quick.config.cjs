const config = require('./jest.config.cjs');
const { writeGroups } = require('./test/support/suite-groups.cjs');

/**
 * `npm test`: as much as five minutes allow. It leaves out what `npm run test:all` adds: end-to-end suites on MariaDB,
 * and `test/system`. `npx jest <part of a path>` runs all of the suites that it names.
 */
module.exports = {
  ...config,
  testRegex: undefined,
  testMatch: writeGroups(['unit', 'server', 'e2e'], { e2e: { onlySqlite: true } }),
};
