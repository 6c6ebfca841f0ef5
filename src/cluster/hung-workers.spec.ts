import type { Worker } from 'node:cluster';
import { HungWorkers } from './hung-workers';

const EVERY_MS = 1000;

describe('HungWorkers', () => {
  let silent: Set<Worker>;
  let ended: Worker[];
  let hung: HungWorkers;

  beforeEach(() => {
    jest.useFakeTimers();
    [silent, ended] = [new Set(), []];
    hung = new HungWorkers({ silentWorkers: () => Promise.resolve(new Set(silent)) }, EVERY_MS);
  });

  afterEach(() => {
    hung.stop();
    jest.useRealTimers();
  });

  const workerOf = (pid: number): Worker => {
    const worker = {
      process: {
        pid,
        kill: (signal: NodeJS.Signals) => {
          expect(signal).toBe('SIGKILL');
          ended.push(worker);
        },
      },
    } as unknown as Worker;
    return worker;
  };

  const look = (times: number): Promise<void> => jest.advanceTimersByTimeAsync(times * EVERY_MS);

  it('kills a worker once after six consecutive missed checks', async () => {
    const worker = workerOf(1);
    silent.add(worker);
    await look(5);
    expect(ended).toEqual([]);
    await look(10);
    expect(ended).toEqual([worker]);
  });

  it('does not kill a worker that responds again', async () => {
    const worker = workerOf(1);
    for (let i = 0; i < 3; i += 1) {
      silent.add(worker);
      await look(5);
      silent.delete(worker);
      await look(1);
    }
    expect(ended).toEqual([]);
  });

  it('counts separately for each worker', async () => {
    const [first, second] = [workerOf(1), workerOf(2)];
    silent.add(first);
    await look(3);
    silent.add(second);
    await look(3);
    expect(ended).toEqual([first]);
    await look(3);
    expect(ended).toEqual([first, second]);
  });

  it('kills no worker once it is stopped', async () => {
    silent.add(workerOf(1));
    hung.stop();
    await look(10);
    expect(ended).toEqual([]);
  });
});
