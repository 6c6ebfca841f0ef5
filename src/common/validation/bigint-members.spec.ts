import { bigintsAsTexts } from './bigint-members';

describe('bigintsAsTexts', () => {
  it('has decimal texts instead of bigints, and returns anything else as it is', () => {
    expect(bigintsAsTexts({ value: 2n ** 70n, to: null, data: '0x' })).toEqual({
      value: '1180591620717411303424',
      to: null,
      data: '0x',
    });
    for (const request of [{ value: '1' }, [1n], '0x02', undefined])
      expect(bigintsAsTexts<unknown>(request)).toBe(request);
  });
});
