import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(__dirname, '..');
const PAGE = /^(?:README\.md|CHANGELOG\.md|docs\/.+\.md)$/;
/** A link to another file; those to web pages have a scheme. */
const LINK = /\]\((?!\w+:)([^)#\s]+)/g;

describe('The packed service', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);

  it('contains its documentation', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'README.md',
        'docs/extending.md',
        'docs/reference/settings.md',
        'docs/reference/public-surface.md',
        'docs/openapi.json',
      ]),
    );
  });

  it('contains each file that a page of it links to, except tests', () => {
    const missing = packed
      .filter((path) => PAGE.test(path))
      .flatMap((page) =>
        [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)].map(([, link = '']) =>
          normalize(join(dirname(page), link)),
        ),
      )
      .filter((target) => !target.startsWith('test/'))
      .filter(
        (target) =>
          !packed.some((path) => path === target || path.startsWith(`${target}/`.replace('//', '/'))),
      );
    expect([...new Set(missing)]).toEqual([]);
  });

  it('names no file of the tests in the types of the public interface', () => {
    const source = readFileSync(join(ROOT, 'src/signers/signer-provider.ts'), 'utf8');
    expect(source).not.toContain('test/');
  });
});
