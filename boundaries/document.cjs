/**
 * Writes the list of layers into docs/architecture.md. With --check, exits with 1 if the list there is missing or
 * outdated.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { layers } = require('./rules.cjs');

const PAGE = join(__dirname, '../docs/architecture.md');
const SECTION = /(<!-- layers: written by `npm run boundaries:document` -->\n)[\s\S]*?(<!-- \/layers -->)/;

const rows = layers.map(
  ({ folders, purpose }, index) =>
    `${index + 1}. ${folders.map((name) => `\`${name}\``).join(', ')}: ${purpose}`,
);
const page = readFileSync(PAGE, 'utf8');
if (!SECTION.test(page)) throw new Error('docs/architecture.md has no section for the layers');
const written = page.replace(SECTION, `$1\n${rows.join('\n')}\n\n$2`);

if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== page) {
  process.stderr.write('docs/architecture.md does not have the layers of boundaries/layers.json\n');
  process.exitCode = 1;
}
