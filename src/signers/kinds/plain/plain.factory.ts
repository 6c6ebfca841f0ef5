import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../../common/errors/domain-error';
import { Secret } from '../../../common/secrets/secret';
import { SignerKind } from '../../signer-kinds';
import type { SignerMaterial, SignerSources } from '../../signer-provider';
import { configObject } from '../../key-services/config-fields';
import { decodeHexKey, encodeHexKey } from '../local/hex-key';
import { InMemoryKey } from '../local/in-memory-key';
import { LocalSignerFactory } from '../local/local.factory';

/** Keys in plain text: `{key}`, 64 hex digits. They are stored and returned as signers of kind `local`. */
@Injectable()
@SignerKind('plain')
export class PlainSignerFactory extends LocalSignerFactory {
  readonly storedAs = 'local';
  override readonly readsFiles = false;

  override async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const { key } = configObject(config, 'config', ['key']);
    const secret = key === undefined ? undefined : sources.secret(key, 'config.key');
    const bytes = Buffer.alloc(32);
    try {
      if (!secret?.use((digits) => decodeHexKey(digits, bytes)))
        throw invalidRequest('config.key must be 64 hex digits without 0x');
      return await Promise.resolve({ settings: {}, secret: this.checked(new Secret(encodeHexKey(bytes))) });
    } finally {
      bytes.fill(0);
      secret?.destroy();
    }
  }

  private checked(secret: Secret): Secret {
    try {
      new InMemoryKey(secret, this.engine).destroy();
      return secret;
    } catch {
      secret.destroy();
      throw invalidRequest('config.key must be greater than zero and below the order of secp256k1');
    }
  }
}
