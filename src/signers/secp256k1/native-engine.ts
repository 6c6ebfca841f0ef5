import { randomBytes } from 'node:crypto';
import { bits2octets } from './bits2octets';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { fromDigestSignature, Secp256k1Engine, toDigestSignature } from './secp256k1-engine';

type Bindings = Pick<
  typeof import('secp256k1'),
  'contextRandomize' | 'ecdsaRecover' | 'ecdsaSign' | 'publicKeyCreate'
>;

/** Without the addon, the package's main entry silently falls back to JavaScript; this entry fails. */
const loadBindings = async (): Promise<Bindings> => (await import('secp256k1/bindings.js')).default;

/** libsecp256k1 as an addon. @throws the loader's error if there is no build for this platform */
export async function nativeEngine(load: () => Promise<Bindings> = loadBindings): Promise<Secp256k1Engine> {
  const bindings = await load();
  // Blinds computations with keys against side channels; signatures are unaffected.
  bindings.contextRandomize(randomBytes(32));
  return new NativeEngine(bindings);
}

class NativeEngine extends Secp256k1Engine {
  readonly name = 'native';

  constructor(private readonly bindings: Bindings) {
    super();
  }

  publicKey(privateKey: Uint8Array): Uint8Array {
    return this.bindings.publicKeyCreate(privateKey, false);
  }

  signRecoverable(digest: Uint8Array, privateKey: Uint8Array) {
    const { signature, recid } = this.bindings.ecdsaSign(bits2octets(digest), privateKey);
    return toDigestSignature(signature, recid);
  }

  recover(digest: Uint8Array, signed: DigestSignature): Uint8Array {
    const { signature, recoveryId } = fromDigestSignature(signed);
    return this.bindings.ecdsaRecover(signature, recoveryId, digest, false);
  }
}
