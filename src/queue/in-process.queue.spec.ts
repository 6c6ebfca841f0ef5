import { InProcessQueue } from './in-process.queue';
import { describeJobQueue, eventually, FakeCounter } from './job-queue.contract';

describeJobQueue('InProcessQueue', { open: (counter) => new InProcessQueue('test', counter) });

describe('InProcessQueue', () => {
  it('drops what is over its bound, and takes ids again when there is room', async () => {
    const counter = new FakeCounter();
    const queue = new InProcessQueue('test', counter, 3);
    await queue.add(['a', 'b', 'c', 'd', 'a']);
    expect(counter).toMatchObject({ queued: 4, dropped: 1 });
    expect(await queue.depth()).toBe(3);
    const worked: string[] = [];
    queue.process(1, (id) => {
      worked.push(id);
      return Promise.resolve();
    });
    await eventually(() => worked.length === 3);
    await queue.add(['d']);
    await eventually(() => worked.length === 4);
    expect(worked).toEqual(['a', 'b', 'c', 'd']);
    await queue.close();
  });
});
