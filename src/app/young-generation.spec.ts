import { youngGenerationWarning } from './young-generation';

const SMALL = 259 * 1024 ** 2;
const LARGE = 4144 * 1024 ** 2;

describe('youngGenerationWarning', () => {
  it('warns about a small heap without the option', () => {
    expect(youngGenerationWarning(SMALL, ['--disable-sigusr1', ''])).toContain('--max-semi-space-size=32');
  });

  it.each([
    '--max-semi-space-size=32',
    '--max_semi_space_size=16',
    '--min-semi-space-size=16',
    '--enable-source-maps --max-semi-space-size=64',
  ])('accepts %s', (option) => {
    expect(youngGenerationWarning(SMALL, [option])).toBeUndefined();
  });

  it('accepts a large heap', () => {
    expect(youngGenerationWarning(LARGE, [])).toBeUndefined();
  });
});
