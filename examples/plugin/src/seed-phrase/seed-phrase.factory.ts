import { Injectable } from '@nestjs/common';
import { Mnemonic } from 'ethers';
import {
  invalidRequest,
  SignerKind,
  type SignerMaterial,
  type SignerProvider,
  type SignerProviderFactory,
  type SignerSources,
} from 'relayer-management-service';
import { SeedPhraseProvider } from './seed-phrase.provider';

/** BIP-32 derives hardened keys from the indexes above. */
const MAX_INDEX = 2 ** 31 - 1;

/**
 * Configured as `{"phrase": {"type": "env", "value": "NAME"}, "index": 0}` in the configuration file, and over HTTP as
 * `{"phrase": "test test …", "index": 0}`.
 */
@Injectable()
@SignerKind('seed_phrase')
export class SeedPhraseFactory implements SignerProviderFactory {
  prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const { phrase, index = 0, ...others } = config as { phrase?: unknown; index?: unknown };
    const unknown = Object.keys(others);
    if (unknown.length > 0) throw invalidRequest(`config has the unknown members ${unknown.join(', ')}`);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > MAX_INDEX)
      throw invalidRequest(`config.index must be an integer from 0 to ${MAX_INDEX}`);
    const secret = sources.secret(phrase, 'config.phrase');
    if (!Mnemonic.isValidMnemonic(secret.reveal()))
      throw invalidRequest('config.phrase must be a BIP-39 phrase');
    return Promise.resolve({ settings: { index }, secret });
  }

  open({ settings, secret }: SignerMaterial): SignerProvider {
    if (!secret) throw new Error('A seed phrase signer is stored without its phrase');
    return new SeedPhraseProvider(secret, Number(settings.index));
  }
}
