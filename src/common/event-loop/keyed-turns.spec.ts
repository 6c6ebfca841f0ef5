import { KeyedTurns } from './keyed-turns';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('KeyedTurns', () => {
  let begun: string[];
  let end: Map<string, (error?: Error) => void>;
  let turns: KeyedTurns;

  beforeEach(() => {
    begun = [];
    end = new Map();
    turns = new KeyedTurns(50);
  });

  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve, reject) => {
      end.set(name, (error) => {
        if (error) reject(error);
        else resolve(name);
      });
    });
  };

  it('runs work of the same key sequentially and work of different keys concurrently', async () => {
    const results = [turns.run('a', work('a1')), turns.run('a', work('a2')), turns.run('b', work('b1'))];
    await turn();
    expect(begun).toEqual(['a1', 'b1']);
    end.get('a1')!();
    await turn();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    end.get('b1')!();
    end.get('a2')!();
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1']);
  });

  it('continues after work that fails', async () => {
    const first = turns.run('a', work('a1'));
    const second = turns.run('a', work('a2'));
    end.get('a1')!(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await turn();
    end.get('a2')!();
    expect(await second).toBe('a2');
  });

  it('waits only for a limited time behind work that hangs', async () => {
    void turns.run('a', work('a1'));
    void turns.run('a', work('a2'));
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(begun).toEqual(['a1', 'a2']);
  });
});
