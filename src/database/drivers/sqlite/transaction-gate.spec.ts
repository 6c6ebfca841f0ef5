import { TransactionGate } from './transaction-gate';

/** Waits until everything that can run has run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Statements that end on request, and a log of when they start and end. */
class Bench {
  readonly gate = new TransactionGate();
  readonly log: string[] = [];
  private readonly ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();

  statement(session: object, name: string): Promise<string> {
    return this.gate.statement(session, async () => {
      this.log.push(`${name} begins`);
      await new Promise<void>((resolve, reject) => this.ends.set(name, { resolve, reject }));
      this.log.push(`${name} ends`);
      return name;
    });
  }

  begin(session: object, name: string): Promise<void> {
    return this.gate.begin(session).then(() => void this.log.push(`${name} is alone`));
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.resolve();
    await settle();
  }

  async fail(name: string): Promise<void> {
    this.ends.get(name)?.reject(new Error(`${name} failed`));
    await settle();
  }
}

describe('TransactionGate', () => {
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }] as const;
  let bench: Bench;

  beforeEach(() => {
    bench = new Bench();
  });

  it('runs statements concurrently', async () => {
    void bench.statement(a, 'one');
    void bench.statement(b, 'two');
    await settle();
    expect(bench.log).toEqual(['one begins', 'two begins']);
  });

  it('returns the result of the statement', async () => {
    const response = bench.statement(a, 'one');
    await settle();
    await bench.end('one');
    await expect(response).resolves.toBe('one');
  });

  it('starts a transaction immediately if nothing is running', async () => {
    await bench.begin(a, 'A');
    expect(bench.gate.owner).toBe(a);
  });

  it('holds back statements of other sessions during a transaction and admits its own', async () => {
    await bench.begin(a, 'A');
    void bench.statement(b, 'other');
    void bench.statement(a, 'own');
    await settle();
    expect(bench.log).toEqual(['A is alone', 'own begins']);
    await bench.end('own');
    bench.gate.end(a);
    await settle();
    expect(bench.log).toEqual(['A is alone', 'own begins', 'own ends', 'other begins']);
  });

  it('delays a transaction until the statements in flight have ended', async () => {
    void bench.statement(a, 'one');
    void bench.statement(b, 'two');
    void bench.begin(c, 'C');
    await settle();
    await bench.end('one');
    expect(bench.gate.owner).toBeUndefined();
    await bench.end('two');
    expect(bench.log).toEqual(['one begins', 'two begins', 'one ends', 'two ends', 'C is alone']);
  });

  it('runs transactions sequentially in order of arrival', async () => {
    await bench.begin(a, 'A');
    void bench.begin(b, 'B');
    void bench.begin(c, 'C');
    await settle();
    expect(bench.log).toEqual(['A is alone']);
    bench.gate.end(a);
    await settle();
    expect(bench.log).toEqual(['A is alone', 'B is alone']);
    bench.gate.end(b);
    await settle();
    expect(bench.log).toEqual(['A is alone', 'B is alone', 'C is alone']);
    expect(bench.gate.owner).toBe(c);
  });

  it('lets no statement overtake a waiting transaction', async () => {
    void bench.statement(a, 'before');
    void bench.begin(b, 'B');
    void bench.statement(c, 'after');
    await settle();
    expect(bench.log).toEqual(['before begins']);
    await bench.end('before');
    expect(bench.log).toEqual(['before begins', 'before ends', 'B is alone']);
    bench.gate.end(b);
    await settle();
    expect(bench.log.at(-1)).toBe('after begins');
  });

  it('admits all waiting statements between two transactions', async () => {
    await bench.begin(a, 'A');
    void bench.statement(b, 'one');
    void bench.statement(b, 'two');
    void bench.begin(c, 'C');
    bench.gate.end(a);
    await settle();
    expect(bench.log).toEqual(['A is alone', 'one begins', 'two begins']);
    await bench.end('one');
    await bench.end('two');
    expect(bench.log.at(-1)).toBe('C is alone');
  });

  it('is released after a statement that fails', async () => {
    const failing = bench.statement(a, 'one');
    void bench.begin(b, 'B');
    await settle();
    const outcome = expect(failing).rejects.toThrow('one failed');
    await bench.fail('one');
    await outcome;
    expect(bench.gate.owner).toBe(b);
  });

  it('is released after a statement that throws synchronously', async () => {
    const failing = bench.gate.statement(a, () => {
      throw new Error('at once');
    });
    await expect(failing).rejects.toThrow('at once');
    await bench.begin(b, 'B');
    expect(bench.gate.owner).toBe(b);
  });

  it('keeps a transaction open if one of its statements fails', async () => {
    await bench.begin(a, 'A');
    const failing = bench.statement(a, 'own');
    await settle();
    const outcome = expect(failing).rejects.toThrow('own failed');
    await bench.fail('own');
    await outcome;
    expect(bench.gate.owner).toBe(a);
  });

  it('lets no session end the transaction of another', async () => {
    await bench.begin(a, 'A');
    void bench.begin(b, 'B');
    bench.gate.end(b);
    bench.gate.end(c);
    await settle();
    expect(bench.gate.owner).toBe(a);
    bench.gate.end(a);
    bench.gate.end(a);
    await settle();
    expect(bench.gate.owner).toBe(b);
  });
});
