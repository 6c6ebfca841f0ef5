import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AUDIT_ACTIONS } from '../src/audit/audit-action';
import { DELIVERY_FAILURES } from '../src/notifications/deliveries/delivery-failure';
import { NOTIFICATION_EVENTS } from '../src/notifications/events/notification-event';

const ROOT = join(__dirname, '..');
const MAX_TABLE_WIDTH = 110;
const MAX_TERMS = 40;
/** Files that the reader creates. */
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

/** The anchors that GitHub generates for the headings of a page. */
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
  it('links only to pages and headings that exist', () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('mentions only files that exist', () => {
    expect(missingPaths(page)).toEqual([]);
  });
});

describe('docs/extending.md', () => {
  it('shows the files of the example verbatim', () => {
    const shown = [...textOf('docs/extending.md').matchAll(/```ts\n\/\/ (examples\/\S+)\n([^]*?)```/g)];
    expect(shown.map(([, file]) => file)).toHaveLength(3);
    for (const [, file = '', text] of shown) expect(text).toBe(textOf(file));
  });
});

describe('docs/webhooks.md', () => {
  const text = textOf('docs/webhooks.md');

  it.each(NOTIFICATION_EVENTS)('explains the event %s', (event) => {
    expect(text).toMatch(new RegExp(`^- \`${event}\``, 'm'));
  });

  // They occur in calls to nodes, or when a stopping service releases a delivery.
  const others = ['overloaded', 'aborted'];
  it.each(DELIVERY_FAILURES.filter((failure) => !others.includes(failure)))(
    'explains the failure %s',
    (failure) => {
      expect(text).toMatch(new RegExp(`^- \`${failure}\`:`, 'm'));
    },
  );
});

describe('docs/transactions.md', () => {
  const sources = ['src/transactions', 'src/chains/evm/sending'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  );
  const begins =
    /['`]((?:Waiting[ :]|Checking:|Perhaps sent|Expired:|Fills nonce|Nonce \$|Transaction (?:would|reverted|canceled|gas)|A node considers)[^'`]*)/g;
  const reasons = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(begins)].map(([, text = '']) => text.split('${')[0] ?? ''),
    ),
  );
  const [section = ''] =
    textOf('docs/transactions.md').split('## What `status_reason` says')[1]?.split('\n## ') ?? [];
  const explained = [...section.replace(/\s+/g, ' ').matchAll(/`([A-Z][^`]+)`/g)].map(
    ([, text = '']) => text.split('…')[0] ?? '',
  );

  it('finds the reasons in the sources', () => {
    expect(reasons.size).toBeGreaterThan(20);
  });

  it.each([...reasons])('explains the status_reason "%s"', (reason) => {
    expect(explained.filter((text) => reason.startsWith(text) || text.startsWith(reason))).not.toEqual([]);
  });
});

describe('docs/operations/audit.md', () => {
  const text = textOf('docs/operations/audit.md');

  it.each(AUDIT_ACTIONS)('lists the action %s', (action) => {
    const [what = '', verb = ''] = action.split('.');
    const lines = text.split('\n').filter((line) => line.startsWith('- ') && line.includes(`\`${what}.`));
    expect(lines.join('\n')).toMatch(new RegExp(`\\b${verb}\``));
  });
});

describe('docs/glossary.md', () => {
  const terms = [...textOf('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, term = '']) => term);

  it('is short enough to be read as a whole', () => {
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
