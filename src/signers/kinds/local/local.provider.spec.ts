import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { SigningKey } from 'ethers';
import { describeWithAddon } from '../../../../test/support/native-addon';
import { Secret } from '../../../common/secrets/secret';
import { describeSignerProvider } from '../../../../test/support/suites/signer-provider';
import { LocalSignerProvider } from './local.provider';
import { nativeEngine } from '../../secp256k1/native-engine';
import { wasmEngine } from '../../secp256k1/wasm-engine';
import { rounds } from '../../../../test/support/rounds';

/** The account "cow" from the EIP-712 example: keccak256("cow"). */
const COW = 'c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4';
const DIGESTS = rounds(1000, 100);
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

async function opened(key = COW): Promise<LocalSignerProvider> {
  const provider = new LocalSignerProvider(new Secret(key), await wasmEngine());
  await provider.init();
  return provider;
}

describeWithAddon('With the addon', () => {
  describeSignerProvider('local with the native engine', {
    open: async () => new LocalSignerProvider(new Secret(COW), await nativeEngine()),
    deterministic: true,
  });
});

describeSignerProvider('local with WebAssembly', {
  open: async () => new LocalSignerProvider(new Secret(COW), await wasmEngine()),
  deterministic: true,
});

describe('LocalSignerProvider', () => {
  it('signs the EIP-712 example', async () => {
    const digest = Buffer.from('be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2', 'hex');
    expect(await (await opened()).signDigest(digest)).toEqual({
      r: '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d',
      s: '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562',
      v: 28,
    });
  });

  it('returns its address on each type of network', async () => {
    const provider = await opened();
    expect(await provider.address('evm')).toBe('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826');
    const seed = await opened('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
    expect(await seed.address('solana')).toBe('FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z');
    expect(await seed.address('stellar')).toBe('GDLVVGABQKYQVN6VJP7NHSLEA45A5YLS6PNKMIZFV4BBU2HXA5IRVHUR');
  });

  it(`signs ${DIGESTS} digests as ethers does`, async () => {
    for (let i = 0; i < DIGESTS; i += 1) {
      const key = randomBytes(32).toString('hex');
      const digest = randomBytes(32);
      const { r, s, v } = new SigningKey(`0x${key}`).sign(digest);
      expect(await (await opened(key)).signDigest(digest)).toEqual({ r: r.slice(2), s: s.slice(2), v });
    }
  });

  it.each([0, 31, 33, 64])('refuses to sign %d bytes', async (size) => {
    await expect((await opened()).signDigest(randomBytes(size))).rejects.toThrow();
  });

  it.each([
    ['zero', '00'.repeat(32)],
    ['the order of the curve', ORDER],
    ['31 bytes', COW.slice(2)],
    ['33 bytes', `${COW}00`],
    ['no hex', 'zz'.repeat(32)],
  ])('fails without revealing the key if the key is %s', async (_what, key) => {
    const use = async (): Promise<void> => {
      const provider = await opened(key);
      await provider.address('evm');
    };
    await expect(use()).rejects.toThrow();
    const sign = async (): Promise<void> => {
      await (await opened(key)).signDigest(randomBytes(32));
    };
    for (const attempt of [use, sign]) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9 })).not.toContain(key);
    }
  });

  it('throws before it is opened', async () => {
    const provider = new LocalSignerProvider(new Secret(COW), await wasmEngine());
    await expect(provider.signDigest(randomBytes(32))).rejects.toThrow('The signer is not open');
  });

  it('discards the key when destroyed', async () => {
    const provider = await opened();
    await provider.destroy();
    expect(inspect(provider, { depth: 9, showHidden: true })).not.toContain(COW);
    await provider.destroy();
  });

  it('does not retain the secret it was created with', async () => {
    const secret = new Secret(COW);
    const provider = new LocalSignerProvider(secret, await wasmEngine());
    await provider.init();
    expect(Object.values(provider)).not.toContain(secret);
    await expect(provider.init()).rejects.toThrow('The signer was open before');
  });
});
