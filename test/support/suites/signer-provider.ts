import { randomBytes } from 'node:crypto';
import { recoverAddress } from 'ethers';
import { MAX_S } from '../../../src/chains/evm/curve-order';
import type { DigestSignature } from '../../../src/chains/evm/digest-signature';
import type { SignerProvider } from '../../../src/signers/signer-provider';

export interface SignerProviderSubject {
  /** Returns an uninitialised provider, for the same key at every call. */
  open: () => SignerProvider | Promise<SignerProvider>;
  /** Whether the same digest always has the same signature (RFC 6979). */
  deterministic: boolean;
}

/** The tests that every kind of signer must pass; called in the spec of each kind. */
export function describeSignerProvider(kind: string, subject: SignerProviderSubject): void {
  describe(`${kind} as SignerProvider`, () => {
    let provider: SignerProvider;

    beforeAll(async () => {
      provider = await subject.open();
      await provider.init();
    });

    afterAll(() => provider.destroy());

    it('is remote unless it signs at once', async () => {
      let isLater = false;
      setImmediate(() => (isLater = true));
      await provider.signDigest(randomBytes(32));
      expect(isLater).toBe(provider.isRemote);
    });

    it('has one checksummed EVM address', async () => {
      const address = await provider.address('evm');
      expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
      expect(await provider.address('evm')).toBe(address);
    });

    it('signs 200 digests that recover to its address, with low s', async () => {
      const address = await provider.address('evm');
      for (let i = 0; i < 200; i += 1) {
        const digest = randomBytes(32);
        expect(recover(digest, await provider.signDigest(digest))).toBe(address);
      }
    });

    it('signs the digests at the ends of their range', async () => {
      const address = await provider.address('evm');
      for (const digest of [Buffer.alloc(32, 0), Buffer.alloc(32, 0xff)]) {
        expect(recover(digest, await provider.signDigest(digest))).toBe(address);
      }
    });

    it('serves 50 callers at once', async () => {
      const address = await provider.address('evm');
      const digests = Array.from({ length: 50 }, () => randomBytes(32));
      const signatures = await Promise.all(digests.map((digest) => provider.signDigest(digest)));
      signatures.forEach((signature, i) => {
        expect(recover(digests[i] ?? Buffer.alloc(0), signature)).toBe(address);
      });
    });

    if (subject.deterministic) {
      it('signs the same digest the same way, also after reopening', async () => {
        const digest = randomBytes(32);
        const first = await provider.signDigest(digest);
        const again = await subject.open();
        await again.init();
        expect(await again.signDigest(digest)).toEqual(first);
        await again.destroy();
      });
    }

    it('does not sign after it was destroyed', async () => {
      const closed = await subject.open();
      await closed.init();
      await closed.destroy();
      await expect(closed.signDigest(randomBytes(32))).rejects.toThrow();
    });
  });
}

function recover(digest: Uint8Array, { r, s, v }: DigestSignature): string {
  expect(r).toMatch(/^[0-9a-f]{64}$/);
  expect(s).toMatch(/^[0-9a-f]{64}$/);
  expect(BigInt(`0x${s}`) <= MAX_S).toBe(true);
  return recoverAddress(digest, { r: `0x${r}`, s: `0x${s}`, v });
}
