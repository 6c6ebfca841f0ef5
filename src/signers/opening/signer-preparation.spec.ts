import { Registry } from 'prom-client';
import { signingFrozen } from '../../freeze/signing-freeze.errors';
import type { SigningFreezeService } from '../../freeze/signing-freeze.service';
import { wasmEngine } from '../secp256k1/wasm-engine';
import type { SignerKinds } from '../signer-kinds';
import type { SignerProvider } from '../signer-provider';
import { SignerMetrics } from '../signer.metrics';
import { SignerPreparation } from './signer-preparation';

describe('SignerPreparation', () => {
  it('does not sign if signing is frozen while the signer is being opened', async () => {
    const done: string[] = [];
    let isFrozen = false;
    const provider: SignerProvider = {
      isRemote: true,
      init: () => {
        isFrozen = true;
        return Promise.resolve();
      },
      address: () => Promise.resolve('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'),
      signDigest: () => {
        done.push('sign');
        return Promise.reject(new Error('not allowed'));
      },
      destroy: () => {
        done.push('destroy');
        return Promise.resolve();
      },
    };
    const freeze = {
      assertNotFrozen: () => (isFrozen ? Promise.reject(signingFrozen('INC-142')) : Promise.resolve()),
    };
    const preparation = new SignerPreparation(
      { getOrThrow: () => ({ open: () => provider }) } as unknown as SignerKinds,
      new SignerMetrics(new Registry()),
      freeze as SigningFreezeService,
      await wasmEngine(),
    );
    await expect(preparation.prove('slow', { settings: {}, secret: null })).rejects.toMatchObject({
      code: 'signing_frozen',
    });
    expect(done).toEqual(['destroy']);
  });

  it.each([{ r: 'zz', s: '', v: 27 }, { r: '11'.repeat(32), s: 'f'.repeat(64), v: 27 }, undefined])(
    'does not accept a signer that returns %j',
    async (returned) => {
      const provider = {
        isRemote: true,
        init: () => Promise.resolve(),
        address: () => Promise.resolve('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'),
        signDigest: () => Promise.resolve(returned),
        destroy: () => Promise.resolve(),
      };
      const preparation = new SignerPreparation(
        { getOrThrow: () => ({ open: () => provider }) } as unknown as SignerKinds,
        new SignerMetrics(new Registry()),
        { assertNotFrozen: () => Promise.resolve() } as unknown as SigningFreezeService,
        await wasmEngine(),
      );
      await expect(preparation.prove('junk', { settings: {}, secret: null })).rejects.toMatchObject({
        reason: 'invalid_response',
      });
    },
  );
});
