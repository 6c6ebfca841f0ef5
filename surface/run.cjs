/**
 * Writes the public surface of the built package into docs/reference/public-surface.md, if the version covers its change.
 *
 * --check       exits with 1 where the page is not up to date, or the version does not cover what has changed since its tag
 * --unreleased  writes it for a version that was not released yet
 */
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { faultOf } = require('./change.cjs');
const { readPage, writePage } = require('./page.cjs');
const { surfaceOf } = require('./report.cjs');

const ROOT = join(__dirname, '..');
const PAGE = 'docs/reference/public-surface.md';

function main(options) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const page = writePage(version, surfaceOf(join(ROOT, 'dist')));
  const file = join(ROOT, PAGE);
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const released = pageOfTag(version);
  const bases = [released, options.includes('--unreleased') ? undefined : stored];
  for (const base of bases.filter((text) => text !== undefined)) {
    const fault = faultOf(readPage(base), readPage(page));
    if (fault) return fault;
  }
  if (!options.includes('--check')) writeFileSync(file, page);
  else if (page !== stored) return `${PAGE} is not up to date: run npm run surface`;
  return undefined;
}

/** As it was released; undefined where the version has no tag, or a shallow clone does not know it. */
function pageOfTag(version) {
  try {
    return execFileSync('git', ['show', `v${version}:${PAGE}`], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
  } catch {
    return undefined;
  }
}

const fault = main(process.argv.slice(2));
if (fault) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
