import { BatchPacer } from './batch-pacer';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('BatchPacer', () => {
  let pacer: BatchPacer;
  let gone: string[];
  let comeBack: (() => void)[];

  beforeEach(() => {
    pacer = new BatchPacer();
    gone = [];
    comeBack = [];
  });

  const schedule = (name: string): void => {
    pacer.schedule(() => {
      gone.push(name);
      void pacer.run(() => new Promise<void>((resolve) => comeBack.push(resolve)));
    });
  };

  it('lets a batch go at the end of its turn', async () => {
    schedule('first');
    expect(gone).toEqual([]);
    await turn();
    expect(gone).toEqual(['first']);
  });

  it('keeps the next ones until the one under way is back', async () => {
    schedule('first');
    await turn();
    schedule('second');
    schedule('third');
    await turn();
    await turn();
    expect(gone).toEqual(['first']);
    comeBack[0]?.();
    await turn();
    await turn();
    expect(gone).toEqual(['first', 'second', 'third']);
  });

  it('waits 10 ms at most, and lets each go once', async () => {
    schedule('first');
    await turn();
    schedule('second');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(gone).toEqual(['first', 'second']);
    comeBack.forEach((back) => {
      back();
    });
    await turn();
    await turn();
    expect(gone).toEqual(['first', 'second']);
  });

  it('lets the next one go when one has failed', async () => {
    pacer.schedule(() => {
      void pacer.run(() => Promise.reject(new Error('no'))).catch(() => gone.push('failed'));
    });
    await turn();
    schedule('next');
    await turn();
    expect(gone).toEqual(['failed', 'next']);
  });
});
