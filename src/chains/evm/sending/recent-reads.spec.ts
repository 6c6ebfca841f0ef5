import { RecentReads } from './recent-reads';

describe('RecentReads', () => {
  let now = 0;
  let reads: RecentReads<number>;
  const read = jest.fn<Promise<number>, []>();

  beforeEach(() => {
    now = 0;
    reads = new RecentReads(3000, 1000, () => now);
    read.mockReset().mockResolvedValue(7);
  });

  it('share a read until it is too old', async () => {
    expect(await Promise.all([reads.get('a', read), reads.get('a', read)])).toEqual([7, 7]);
    now = 2999;
    await reads.get('a', read);
    expect(read).toHaveBeenCalledTimes(1);
    now = 3000;
    await reads.get('a', read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('do not share a failure with later callers', async () => {
    read.mockRejectedValueOnce(new Error('no response'));
    await expect(reads.get('a', read)).rejects.toThrow('no response');
    expect(await reads.get('a', read)).toBe(7);
  });

  it('are limited', async () => {
    for (let i = 0; i <= 1000; i += 1) await reads.get(`${i}`, read);
    await reads.get('1000', read);
    expect(read).toHaveBeenCalledTimes(1001);
    await reads.get('0', read);
    expect(read).toHaveBeenCalledTimes(1002);
  });
});
