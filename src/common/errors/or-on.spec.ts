import { orOn } from './or-on';

class Expected extends Error {}

describe('orOn', () => {
  it('returns the result of a call that succeeds', async () => {
    await expect(orOn(Expected, null, () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('returns the fallback if the call fails with an error of the class', async () => {
    await expect(orOn(Expected, null, () => Promise.reject(new Expected()))).resolves.toBeNull();
  });

  it('fails with any other error', async () => {
    await expect(orOn(Expected, null, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
