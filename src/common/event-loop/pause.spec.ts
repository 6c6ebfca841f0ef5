import { Pause } from './pause';

describe('Pause', () => {
  let over: number;

  beforeEach(() => {
    over = 0;
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const take = (pause: Pause): void => {
    void pause.take(1000).then(() => (over += 1));
  };
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  it('lasts for the given time', async () => {
    take(new Pause());
    await pass(999);
    expect(over).toBe(0);
    await pass(1);
    expect(over).toBe(1);
  });

  it('can be ended early', async () => {
    const pause = new Pause();
    take(pause);
    pause.end();
    await pass(0);
    expect(over).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is skipped once if it was ended before it started', async () => {
    const pause = new Pause();
    pause.end();
    pause.end();
    take(pause);
    await pass(0);
    expect(over).toBe(1);
    take(pause);
    await pass(999);
    expect(over).toBe(1);
    await pass(1);
    expect(over).toBe(2);
  });
});
