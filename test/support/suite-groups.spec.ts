import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');

const suitesIn = (folder: string): string[] =>
  readdirSync(join(TESTS, folder)).filter((name) => name.endsWith('.spec.ts'));

describe('The suites of a folder', () => {
  it.each(['e2e', 'system'])('test/%s have names that make them run as such', (kind) => {
    expect(suitesIn(kind).filter((name) => !name.endsWith(`.${kind}.spec.ts`))).toEqual([]);
  });

  it('test/e2e run no build: those that do are in test/system', () => {
    const runsBuild = (name: string): boolean =>
      /\bdist\b|CommandProcess|RotationProcess/.test(readFileSync(join(TESTS, 'e2e', name), 'utf8'));
    expect(suitesIn('e2e').filter(runsBuild)).toEqual([]);
  });
});
