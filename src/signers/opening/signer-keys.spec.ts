import { Registry } from 'prom-client';
import type { SigningFreezeService } from '../../freeze/signing-freeze.service';
import type { SecretCipher } from '../../secrets/secret-cipher';
import type { SignerKinds } from '../signer-kinds';
import type { SignerProvider } from '../signer-provider';
import type { SignerEntity } from '../signer.entity';
import { SignerMetrics } from '../signer.metrics';
import type { SignersService } from '../signers.service';
import { SignerKeys } from './signer-keys';
import { SignerPool } from './signer-pool';

const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const ACCOUNT = { signerId: 'a', networkType: 'evm', address: ADDRESS } as const;
const LIMIT_MS = 30_000;

/** The keys of one signer; each opening uses the next of these providers. */
function keysOf(...providers: SignerProvider[]): { keys: SignerKeys; pool: SignerPool } {
  const metrics = new SignerMetrics(new Registry());
  const pool = new SignerPool(metrics);
  const stored = { id: 'a', kind: 'plugin', settings: {}, secret: null, createdAt: new Date() };
  const keys = new SignerKeys(
    { getOrThrow: () => Promise.resolve(stored as SignerEntity) } as unknown as SignersService,
    {} as SecretCipher,
    { getOrThrow: () => ({ open: () => providers.shift() }) } as unknown as SignerKinds,
    pool,
    metrics,
    {} as SigningFreezeService,
  );
  return { keys, pool };
}

function provider(init: () => Promise<void>, done: string[] = []): SignerProvider {
  return {
    isRemote: true,
    init,
    address: () => Promise.resolve(ADDRESS),
    signDigest: () => Promise.reject(new Error('not needed')),
    destroy: () => {
      done.push('destroy');
      return Promise.reject(new Error('not open'));
    },
  };
}

const never = () => new Promise<void>(() => undefined);
const atOnce = () => Promise.resolve();

describe('SignerKeys', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('gives up on a provider that does not initialise in time, and opens another on the next use', async () => {
    const done: string[] = [];
    const { keys } = keysOf(provider(never, done), provider(atOnce));
    const failed = expect(keys.open(ACCOUNT)).rejects.toMatchObject({ reason: 'timeout' });
    await jest.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(done).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await failed;
    expect(done).toEqual(['destroy']);
    await expect(keys.open(ACCOUNT)).resolves.toMatchObject({ isRemote: true });
  });

  it('delays shutdown by no more than the time limit for opening', async () => {
    const { keys, pool } = keysOf(provider(never));
    const failed = expect(keys.open(ACCOUNT)).rejects.toThrow();
    const stopped = pool.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(LIMIT_MS);
    await stopped;
    await failed;
  });

  it('returns the address of a signer that is closed right after the address was compared', async () => {
    let isOpen = true;
    const closing = provider(atOnce);
    closing.address = () => {
      if (!isOpen) return Promise.reject(new Error('not open'));
      pool.forget('a');
      isOpen = false;
      return Promise.resolve(ADDRESS);
    };
    const { keys, pool } = keysOf(closing);
    const signer = { id: 'a', address: ADDRESS, publicKey: '0x' } as SignerEntity;
    await expect(keys.addressOf(signer, 'evm')).resolves.toBe(ADDRESS);
  });

  it('leaves no timer behind', async () => {
    const { keys } = keysOf(provider(atOnce));
    await keys.open(ACCOUNT);
    expect(jest.getTimerCount()).toBe(0);
  });
});
