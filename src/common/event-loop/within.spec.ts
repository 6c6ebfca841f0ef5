import { within } from './within';

describe('within', () => {
  const never = new Promise<number>(() => undefined);
  const late = (): string => 'late';

  it('returns the result of a promise, or its error', async () => {
    expect(await within(1000, Promise.resolve(7), late)).toBe(7);
    await expect(within(1000, Promise.reject(new Error('no')), late)).rejects.toThrow('no');
  });

  it('returns or throws what is given for a promise that takes longer', async () => {
    expect(await within(5, never, late)).toBe('late');
    const fail = (): never => {
      throw new Error('too late');
    };
    await expect(within(5, never, fail)).rejects.toThrow('too late');
  });

  it('prefers a result that arrived while the process was busy', async () => {
    const arrived = new Promise<number>((resolve) => {
      setImmediate(() => {
        resolve(7);
      });
    });
    const result = within(5, arrived, late);
    const until = performance.now() + 20;
    while (performance.now() < until);
    expect(await result).toBe(7);
  });
});
