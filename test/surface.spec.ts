import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Page {
  version: string;
  lines: Set<string>;
}
const { readPage, writePage } = jest.requireActual<{
  readPage: (page: string) => Page;
  writePage: (version: string, surface: object) => string;
}>('../surface/page.cjs');
const { faultOf } = jest.requireActual<{ faultOf: (before: Page, after: Page) => string | undefined }>(
  '../surface/change.cjs',
);

const pageOf = (version: string, ...lines: string[]): Page =>
  readPage(
    writePage(version, {
      exported: new Map([['Api', `class Api {\n${lines.map((line) => `    ${line};`).join('\n')}\n}`]]),
      others: new Map(),
    }),
  );

const BEFORE = pageOf('1.2.0', 'get(): string', 'list(): string[]');

describe('The public surface', () => {
  it.each([
    ['1.2.1', BEFORE.lines, undefined],
    ['1.2.1', pageOf('1.0.0', 'get(): string', 'list(): string[]', 'more(): void').lines, '1.3.0'],
    ['1.3.0', pageOf('1.0.0', 'get(): string', 'list(): string[]', 'more(): void').lines, undefined],
    ['1.3.0', pageOf('1.0.0', 'get(): string').lines, '2.0.0'],
    ['1.3.0', pageOf('1.0.0', 'get(): number', 'list(): string[]').lines, '2.0.0'],
    ['2.0.0', pageOf('1.0.0', 'get(): number').lines, undefined],
  ])('requires a version that matches the change: %s', (version, lines, needed) => {
    const fault = faultOf(BEFORE, { version, lines });
    if (needed === undefined) expect(fault).toBeUndefined();
    else
      expect(fault).toContain(
        `has changed since version 1.2.0, and the version is ${version}: it takes ${needed}`,
      );
  });

  it('is documented for the version of the package', () => {
    const root = join(__dirname, '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const page = readPage(readFileSync(join(root, 'docs/reference/public-surface.md'), 'utf8'));
    expect(page.version).toBe(version);
    expect([...page.lines]).toContain('SigningApi: abstract class SigningApi {');
  });
});
