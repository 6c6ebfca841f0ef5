import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '..');
const MAX_TABLE_WIDTH = 110;
const MAX_TERMS = 40;
/** Files that the reader is to create. */
const EXAMPLES = ['client/dist', 'docker/.env', 'src/database/migrations/add-something'];

const pagesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

const PAGES = [
  ...pagesIn('.', false),
  ...pagesIn('docs', true),
  'bench/README.md',
  'client/README.md',
].sort();

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const withoutCode = (text: string): string => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings =
    textOf(page)
      .replace(/^```[^]*?^```/gm, '')
      .match(/^#+ .*/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: string): string[] {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
}

function missingPaths(page: string): string[] {
  const paths =
    textOf(page).match(
      /(?<![\w./@-])(?:src|test|docs|docker|bench|boundaries|examples|client)\/[\w./-]*\w/g,
    ) ?? [];
  return paths.filter(
    (path) => !existsSync(join(ROOT, path)) && !EXAMPLES.some((example) => path.startsWith(example)),
  );
}

describe.each(PAGES)('%s', (page) => {
  it('links to pages and headings that exist', () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('names files that exist', () => {
    expect(missingPaths(page)).toEqual([]);
  });
});

describe('docs/extending.md', () => {
  it('shows the files of the example as they are', () => {
    const shown = [...textOf('docs/extending.md').matchAll(/```ts\n\/\/ (examples\/\S+)\n([^]*?)```/g)];
    expect(shown.map(([, file]) => file)).toHaveLength(3);
    for (const [, file = '', text] of shown) expect(text).toBe(textOf(file));
  });
});

describe('docs/glossary.md', () => {
  const terms = [...textOf('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, term = '']) => term);

  it('has few enough terms to be read as a whole', () => {
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(MAX_TERMS);
  });
});

describe('Tables', () => {
  it.each(PAGES.filter((page) => !page.startsWith('bench')))('of %s fit on a screen', (page) => {
    const lines = textOf(page).split('\n');
    expect(lines.filter((line) => line.startsWith('|') && line.length > MAX_TABLE_WIDTH)).toEqual([]);
  });
});

describe('Decisions', () => {
  it.each(pagesIn('docs/adr', false))('%s has a status and a date', (page) => {
    expect(textOf(page)).toMatch(
      /^# \d+\. .+\n\nStatus: (?:accepted|superseded|amended)[^]*?\nDate: \d{4}-\d{2}-\d{2}\n\n/,
    );
  });
});
