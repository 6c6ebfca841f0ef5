import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../../common/errors/domain-error';
import { SignerKind } from '../../signer-kinds';
import type {
  SignerMaterial,
  SignerProvider,
  SignerProviderFactory,
  SignerSources,
} from '../../signer-provider';
import { configObject } from '../../key-services/config-fields';
import { decryptKeystore } from '../keystore/keystore';
import { LocalSignerProvider } from './local.provider';
import { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';

/** Keys that the service itself holds, configured as an encrypted keystore, which is decrypted once. */
@Injectable()
@SignerKind('local')
export class LocalSignerFactory implements SignerProviderFactory {
  readonly readsFiles: boolean = true;

  constructor(protected readonly engine: Secp256k1Engine) {}

  async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const { path, passphrase } = configObject(config, 'config', ['path', 'passphrase']);
    if (typeof path !== 'string' || path === '')
      throw invalidRequest('config.path must be the path of a keystore');
    const secret = await decryptKeystore(
      await sources.file(path),
      sources.secret(passphrase, 'config.passphrase'),
    );
    return { settings: {}, secret };
  }

  open(material: SignerMaterial): SignerProvider {
    if (!material.secret) throw new Error('A local signer is stored without its key');
    return new LocalSignerProvider(material.secret, this.engine);
  }
}
