import { SharedRead } from './shared-read';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await turn();
};

describe('SharedRead', () => {
  let reads: { resolve: (value: number) => void; reject: (error: Error) => void }[];
  let shared: SharedRead<number>;

  beforeEach(() => {
    reads = [];
    shared = new SharedRead(() => new Promise((resolve, reject) => reads.push({ resolve, reject })));
  });

  it('shares one read among calls of the same turn', async () => {
    const values = [shared.get(), shared.get()];
    expect(reads).toHaveLength(0);
    await turns();
    expect(reads).toHaveLength(1);
    reads[0]!.resolve(1);
    expect(await Promise.all(values)).toEqual([1, 1]);
  });

  it('starts a new read for calls that arrive during a read, once that has ended', async () => {
    const first = shared.get();
    await turns();
    const others = [shared.get(), shared.get()];
    await turns();
    expect(reads).toHaveLength(1);
    reads[0]!.resolve(1);
    await turns();
    expect(reads).toHaveLength(2);
    reads[1]!.resolve(2);
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 2]);
  });

  it('rejects only the calls that shared the failed read', async () => {
    const values = Promise.allSettled([shared.get(), shared.get()]);
    await turns();
    const next = shared.get();
    reads[0]!.reject(new Error('away'));
    expect((await values).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turns();
    reads[1]!.resolve(2);
    expect(await next).toBe(2);
  });

  it('waits only for a limited time behind a read that hangs', async () => {
    void shared.get();
    await turns();
    const next = shared.get();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await turns();
    expect(reads).toHaveLength(2);
    reads[1]!.resolve(2);
    expect(await next).toBe(2);
  });
});
