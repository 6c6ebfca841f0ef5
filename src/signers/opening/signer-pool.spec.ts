import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { OpenSigner } from './open-signer';
import { SignerMetrics } from '../signer.metrics';
import { SignerPool } from './signer-pool';
import type { SignerProvider } from '../signer-provider';

/** A provider that counts the calls to it. */
class FakeProvider implements SignerProvider {
  readonly isRemote = false;
  inits = 0;
  destroys = 0;
  initialised: Promise<void> = Promise.resolve();
  destroyed: () => Promise<void> = () => Promise.resolve();

  init(): Promise<void> {
    this.inits += 1;
    return this.initialised;
  }

  address(): Promise<string> {
    return Promise.resolve('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826');
  }

  signDigest(): ReturnType<SignerProvider['signDigest']> {
    return Promise.reject(new Error('not asked for'));
  }

  destroy(): Promise<void> {
    this.destroys += 1;
    return this.destroyed();
  }
}

async function opened(provider: FakeProvider): Promise<OpenSigner> {
  await provider.init();
  return new OpenSigner('fake', provider, new Date(0));
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('SignerPool', () => {
  let registry: Registry;
  let pool: SignerPool;
  let provider: FakeProvider;
  let made: number;

  const make = (): Promise<OpenSigner> => {
    made += 1;
    return opened(provider);
  };

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(() => {
    registry = new Registry();
    pool = new SignerPool(new SignerMetrics(registry));
    provider = new FakeProvider();
    made = 0;
  });

  it('opens a signer once and returns the same instance afterwards', async () => {
    const first = await pool.get('a', make);
    const second = await pool.get('a', make);
    expect(second).toBe(first);
    expect([made, provider.inits, provider.destroys]).toEqual([1, 1, 0]);
  });

  it('finds only signers that are open', async () => {
    const opening = pool.get('a', make);
    expect([pool.find('a'), pool.find('b')]).toEqual([undefined, undefined]);
    const signer = await opening;
    expect(pool.find('a')).toBe(signer);
    pool.forget('a');
    expect(pool.find('a')).toBeUndefined();
  });

  it('opens a signer once for concurrent callers', async () => {
    const signers = await Promise.all(Array.from({ length: 20 }, () => pool.get('a', make)));
    expect(new Set(signers).size).toBe(1);
    expect([made, provider.inits]).toEqual([1, 1]);
  });

  it('does not return a signer before it is initialised', async () => {
    let initialised = (): void => undefined;
    provider.initialised = new Promise((resolve) => {
      initialised = resolve;
    });
    let handedOut = false;
    const opening = pool.get('a', make).then(() => {
      handedOut = true;
    });
    await settle();
    expect(handedOut).toBe(false);
    initialised();
    await opening;
    expect(handedOut).toBe(true);
  });

  it('opens each signer separately', async () => {
    await pool.get('a', make);
    await pool.get('b', make);
    expect(made).toBe(2);
  });

  it.each([
    ['making', () => Promise.reject(new Error('no such signer'))],
    [
      'initialising',
      () => {
        const broken = new FakeProvider();
        broken.initialised = Promise.reject(new Error('no such signer'));
        return opened(broken);
      },
    ],
  ])('rejects all callers of an opening that failed while %s, and does not cache it', async (_step, fail) => {
    const failing = [pool.get('a', fail), pool.get('a', fail)];
    for (const opening of failing) await expect(opening).rejects.toThrow('no such signer');
    expect((await pool.get('a', make)).provider).toBe(provider);
  });

  it('closes a forgotten signer and reopens it on the next use', async () => {
    await pool.get('a', make);
    pool.forget('a');
    await settle();
    expect(provider.destroys).toBe(1);
    provider = new FakeProvider();
    expect((await pool.get('a', make)).provider).toBe(provider);
    expect(made).toBe(2);
  });

  it('keeps the new opening if that of a forgotten signer fails later', async () => {
    let fail: (error: Error) => void = () => undefined;
    const first = pool.get(
      'a',
      () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    );
    pool.forget('a');
    const second = pool.get('a', make);
    fail(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    expect(await pool.get('a', make)).toBe(await second);
    expect(made).toBe(1);
  });

  it('finishes the signatures in progress before it destroys the provider, and refuses new ones', async () => {
    const signer = await pool.get('a', make);
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const uses = [signer.use(work), signer.use(work)];
    pool.forget('a');
    await settle();
    expect(signer.isClosed).toBe(true);
    await expect(signer.use(work)).rejects.toThrow('The signer was closed');
    ends[0]!();
    await settle();
    expect(provider.destroys).toBe(0);
    ends[1]!();
    await Promise.all(uses);
    await settle();
    expect(provider.destroys).toBe(1);
  });

  it('destroys a provider after its work has failed', async () => {
    const signer = await pool.get('a', make);
    const failing = signer.use(() => settle().then(() => Promise.reject(new Error('no'))));
    pool.forget('a');
    await expect(failing).rejects.toThrow('no');
    await settle();
    expect(provider.destroys).toBe(1);
  });

  it('reports how long a signer has been idle, and zero while it is in use', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const signer = await pool.get('a', make);
    clock.mockReturnValue(5000);
    expect(signer.idleMs).toBe(5000);
    let end = (): void => undefined;
    const use = signer.use(() => new Promise<void>((resolve) => (end = resolve)));
    clock.mockReturnValue(9000);
    expect(signer.idleMs).toBe(0);
    end();
    await use;
    expect(signer.idleMs).toBe(0);
    clock.mockReturnValue(10_000);
    expect(signer.idleMs).toBe(1000);
    await pool.get('a', make);
    expect(signer.idleMs).toBe(0);
    clock.mockRestore();
  });

  it('closes a specific signer only if it is the one currently open', async () => {
    const first = await pool.get('a', make);
    expect(pool.open).toEqual([['a', first]]);
    pool.forget('a');
    const old = provider;
    provider = new FakeProvider();
    const second = await pool.get('a', make);
    pool.forgetOnly('a', first);
    await settle();
    expect([old.destroys, provider.destroys]).toEqual([1, 0]);
    expect(pool.open).toEqual([['a', second]]);
    pool.forgetOnly('a', second);
    expect(pool.open).toEqual([]);
  });

  it('reports the number of open signers', async () => {
    const openSigners = async () =>
      /^signers_open\{kind="fake"\} (\d+)$/m.exec(await registry.metrics())?.[1];
    await pool.get('a', make);
    await pool.get('b', make);
    await pool.get('broken', () => Promise.reject(new Error('no such signer'))).catch(() => undefined);
    expect(await openSigners()).toBe('2');
    pool.forget('a');
    pool.forget('broken');
    await settle();
    expect(await openSigners()).toBe('1');
    await pool.onApplicationShutdown();
    expect(await openSigners()).toBe('0');
  });

  it('ignores an unknown id', () => {
    expect(() => {
      pool.forget('unknown');
    }).not.toThrow();
  });

  it('closes all signers on shutdown even if one fails to close', async () => {
    const others = [new FakeProvider(), new FakeProvider()];
    provider.destroyed = () => Promise.reject(new Error('does not close'));
    await pool.get('a', make);
    for (const [i, other] of others.entries()) {
      await pool.get(`other ${i}`, () => opened(other));
    }
    await pool.onApplicationShutdown();
    expect([provider, ...others].map(({ destroys }) => destroys)).toEqual([1, 1, 1]);
    await pool.onApplicationShutdown();
    expect(provider.destroys).toBe(1);
  });

  it('holds 10 000 open signers, and closes the least recently used one when another is opened', async () => {
    const [oldest, unused] = [new FakeProvider(), new FakeProvider()];
    await pool.get('oldest', () => opened(oldest));
    await pool.get('unused', () => opened(unused));
    for (let i = 0; i < 9_998; i += 1) await pool.get(`signer ${i}`, make);
    await pool.get('oldest', make);
    expect([oldest.destroys, unused.destroys]).toEqual([0, 0]);
    await pool.get('one more', make);
    await settle();
    expect([oldest.destroys, unused.destroys]).toEqual([0, 1]);
    expect(provider.destroys).toBe(0);
  });
});
