import { setImmediate as turn } from 'node:timers/promises';
import { ContextVariable } from './context-variable';

describe('ContextVariable', () => {
  const colour = new ContextVariable<string>();
  const size = new ContextVariable<number>();

  it('has no value outside run', () => {
    expect(colour.get()).toBeUndefined();
  });

  it('returns the result of the work, or throws its error', async () => {
    expect(colour.run('red', () => 3)).toBe(3);
    await expect(colour.run('red', () => Promise.resolve(4))).resolves.toBe(4);
    expect(() =>
      colour.run('red', () => {
        throw new Error('no paint');
      }),
    ).toThrow('no paint');
    expect(colour.get()).toBeUndefined();
  });

  it('follows promises, timers and turns of the event loop', async () => {
    const seen = await colour.run('red', async () => {
      await turn();
      const late = new Promise((resolve) => {
        setTimeout(() => {
          resolve(colour.get());
        }, 1);
      });
      return [colour.get(), await late];
    });
    expect(seen).toEqual(['red', 'red']);
  });

  it('has separate values in concurrent calls', async () => {
    const paint = (value: string): Promise<string | undefined> =>
      colour.run(value, async () => {
        await turn();
        return colour.get();
      });
    await expect(Promise.all([paint('red'), paint('blue')])).resolves.toEqual(['red', 'blue']);
  });

  it('is changed for nested work only', () => {
    colour.run('red', () => {
      expect(colour.run('blue', () => colour.get())).toBe('blue');
      expect(colour.get()).toBe('red');
    });
  });

  it('keeps the values of other variables', () => {
    colour.run('red', () => {
      expect(size.run(7, () => [colour.get(), size.get()])).toEqual(['red', 7]);
      expect(size.get()).toBeUndefined();
    });
  });
});
