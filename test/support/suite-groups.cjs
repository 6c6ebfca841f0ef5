const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { LONGEST } = require('./longest-first.cjs');

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['src', 'client/src', 'test'];
/** Jest hoists `jest.mock` only to the top of its own file, and the replaced module must not affect other suites. */
const WITH_OWN_MODULES = ['src/transactions/top-ups/top-ups.spec.ts'];

/** By the ends of their names; all others are unit suites. */
const ENDINGS = { server: '.server.spec.ts', e2e: '.e2e.spec.ts', system: '.system.spec.ts' };

const kindOf = (suite) => Object.keys(ENDINGS).find((kind) => suite.endsWith(ENDINGS[kind])) ?? 'unit';

const isAlone = (suite) =>
  WITH_OWN_MODULES.includes(suite) || LONGEST.some((name) => suite.includes(`/${name}`));

/** Paths of all suites, relative to the project, in order. */
const suites = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
    .filter((path) => path.endsWith('.spec.ts'))
    .sort();

/**
 * Writes a file for each group of suites of these kinds. Loading the service takes longer than most suites do, and the
 * suites of a group share the loaded modules.
 *
 * @param groups how many groups of the suites of each kind: `unit`, `server`, `e2e`, `system`
 * @returns the files for Jest to run: those of the groups, and the suites that are in none
 */
function writeGroups(groups) {
  const folder = join(ROOT, 'test', '.groups', Object.keys(groups).join('-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const declare = JSON.stringify(join(__dirname, 'declare-suites.ts'));
  return Object.entries(groups).flatMap(([kind, count]) => {
    const all = suites().filter((suite) => kindOf(suite) === kind);
    const grouped = all.filter((suite) => !isAlone(suite));
    const files = Array.from({ length: count }, (_, group) => {
      const file = join(folder, `${kind}-${group + 1}.spec.js`);
      const paths = grouped.filter((_, i) => i % count === group).map((suite) => join(ROOT, suite));
      writeFileSync(file, `require(${declare}).declareSuites(${JSON.stringify(paths, null, 2)});\n`);
      return file;
    });
    return [...files, ...all.filter(isAlone).map((suite) => join(ROOT, suite))];
  });
}

module.exports = { writeGroups };
