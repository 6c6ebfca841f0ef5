import { bits2octets } from './bits2octets';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { fromDigestSignature, Secp256k1Engine, toDigestSignature } from './secp256k1-engine';

type Library = Pick<typeof import('tiny-secp256k1'), 'pointFromScalar' | 'recover' | 'signRecoverable'>;

const loadLibrary = (): Promise<Library> => import('tiny-secp256k1');

/** libsecp256k1 as WebAssembly, for platforms without the addon. */
export async function wasmEngine(load: () => Promise<Library> = loadLibrary): Promise<Secp256k1Engine> {
  return new WasmEngine(await load());
}

class WasmEngine extends Secp256k1Engine {
  readonly name = 'wasm';

  constructor(private readonly library: Library) {
    super();
  }

  publicKey(privateKey: Uint8Array): Uint8Array {
    const publicKey = this.library.pointFromScalar(privateKey, false);
    if (!publicKey) throw new Error('The private key has no public key');
    return publicKey;
  }

  signRecoverable(digest: Uint8Array, privateKey: Uint8Array) {
    const { signature, recoveryId } = this.library.signRecoverable(bits2octets(digest), privateKey);
    return toDigestSignature(signature, recoveryId);
  }

  recover(digest: Uint8Array, signed: DigestSignature): Uint8Array {
    const { signature, recoveryId } = fromDigestSignature(signed);
    const publicKey = this.library.recover(digest, signature, recoveryId, false);
    if (!publicKey) throw new Error('The signature is by no key');
    return publicKey;
  }
}
