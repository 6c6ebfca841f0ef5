import { SigningKey } from 'ethers';
import { Registry } from 'prom-client';
import { CURVE_ORDER } from '../../chains/evm/curve-order';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import type { SigningFreezeService } from '../../freeze/signing-freeze.service';
import { Secret } from '../../common/secrets/secret';
import type { SecretCipher } from '../../secrets/secret-cipher';
import { LocalSignerProvider } from '../kinds/local/local.provider';
import type { Secp256k1Engine } from '../secp256k1/secp256k1-engine';
import { wasmEngine } from '../secp256k1/wasm-engine';
import type { SignerKinds } from '../signer-kinds';
import type { SignerProvider } from '../signer-provider';
import type { SignerEntity } from '../signer.entity';
import { SignerMetrics } from '../signer.metrics';
import type { SignersService } from '../signers.service';
import { SignerKeys } from './signer-keys';
import { SignerPool } from './signer-pool';

const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const ACCOUNT = { signerId: 'a', networkType: 'evm', address: ADDRESS } as const;
const KEY = 'c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4';
const DIGEST = Buffer.alloc(32, 7);
const LIMIT_MS = 30_000;

let engine: Secp256k1Engine;

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
    engine,
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

function signatureBy(key: string): DigestSignature {
  const { r, s, v } = new SigningKey(`0x${key}`).sign(DIGEST);
  return { r: r.slice(2), s: s.slice(2), v };
}

const never = () => new Promise<void>(() => undefined);
const atOnce = () => Promise.resolve();

describe('SignerKeys', () => {
  beforeAll(async () => {
    engine = await wasmEngine();
  });
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

  const signed = signatureBy(KEY);
  const highS = (CURVE_ORDER - BigInt(`0x${signed.s}`)).toString(16).padStart(64, '0');

  it.each<[string, unknown]>([
    ['by another key', signatureBy('11'.repeat(32))],
    ['of another digest', signatureBy(KEY.replace('c8', 'c9'))],
    ['with the other v', { ...signed, v: 55 - signed.v }],
    ['with another v', { ...signed, v: 0 }],
    ['with s in the upper half', { ...signed, s: highS, v: 55 - signed.v }],
    ['with digits in upper case', { ...signed, r: signed.r.toUpperCase() }],
    ['with 0x', { ...signed, r: `0x${signed.r}` }],
    ['with r = 0', { ...signed, r: '0'.repeat(64) }],
    ['with s = 0', { ...signed, s: '0'.repeat(64) }],
    ['with r above the order', { ...signed, r: 'f'.repeat(64) }],
    ['of junk', { r: 'zz', s: '', v: 27 }],
    ['of bytes', { ...signed, r: Buffer.from(signed.r, 'hex') }],
    ['that is missing', undefined],
  ])('does not return a signature %s', async (_what, returned) => {
    const wrong = { ...provider(atOnce), signDigest: () => Promise.resolve(returned as DigestSignature) };
    const { keys } = keysOf(wrong);
    const key = await keys.open(ACCOUNT);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({
      ...{ code: 'signer_unavailable', reason: 'invalid_response' },
    });
  });

  it.each([true, false])('returns the signature of a provider, remote: %s', async (isRemote) => {
    const { keys } = keysOf({ ...provider(atOnce), isRemote, signDigest: () => Promise.resolve(signed) });
    expect(await (await keys.open(ACCOUNT)).sign(DIGEST)).toEqual(signed);
    expect(await keys.find(ACCOUNT)?.sign(DIGEST)).toEqual(signed);
  });

  it('does not spend time on signatures of keys in memory', async () => {
    const recover = jest.spyOn(engine, 'recover');
    const { keys } = keysOf(new LocalSignerProvider(new Secret(KEY), engine));
    expect(await (await keys.open(ACCOUNT)).sign(DIGEST)).toEqual(signed);
    expect(recover).not.toHaveBeenCalled();
    recover.mockRestore();
  });
});
