import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../../common/errors/domain-error';
import { SignerKind } from '../../signer-kinds';
import type { SignerMaterial, SignerSources } from '../../signer-provider';
import { configObject } from '../../key-services/config-fields';
import { decryptKeystore } from './keystore';
import { LocalSignerFactory } from '../local/local.factory';

/**
 * Keys given as an encrypted JSON keystore of version 3: `{keystore, passphrase}`, with the keystore as an object or as
 * text. It is decrypted once; the signer is stored and returned as kind `local`.
 */
@Injectable()
@SignerKind('keystore')
export class KeystoreSignerFactory extends LocalSignerFactory {
  readonly storedAs = 'local';
  override readonly readsFiles = false;

  override async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const { keystore, passphrase } = configObject(config, 'config', ['keystore', 'passphrase']);
    const secret = await decryptKeystore(textOf(keystore), sources.secret(passphrase, 'config.passphrase'));
    return { settings: {}, secret };
  }
}

function textOf(keystore: unknown): string {
  if (typeof keystore === 'string') return keystore;
  if (typeof keystore === 'object' && keystore !== null) return JSON.stringify(keystore);
  throw invalidRequest('config.keystore must be an encrypted JSON keystore, as an object or as its text');
}
