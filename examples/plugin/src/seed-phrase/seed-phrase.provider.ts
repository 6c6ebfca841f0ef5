import { HDNodeWallet, Mnemonic } from 'ethers';
import {
  type DigestSignature,
  type NetworkType,
  type Secret,
  type SignerProvider,
  SignerUnsuitableError,
} from 'relayer-management-service';

/** Signs with the key at m/44'/60'/0'/0/index of a seed phrase (BIP-39, BIP-44). */
export class SeedPhraseProvider implements SignerProvider {
  readonly isRemote = false;
  private wallet: HDNodeWallet | undefined;

  constructor(
    private readonly phrase: Secret,
    private readonly index: number,
  ) {}

  init(): Promise<void> {
    const mnemonic = Mnemonic.fromPhrase(this.phrase.reveal());
    this.wallet = HDNodeWallet.fromMnemonic(mnemonic, `m/44'/60'/0'/0/${this.index}`);
    return Promise.resolve();
  }

  async address(networkType: NetworkType): Promise<string> {
    if (networkType !== 'evm') throw new SignerUnsuitableError('seed_phrase', networkType);
    return Promise.resolve(this.opened().address);
  }

  async signDigest(digest: Uint8Array): Promise<DigestSignature> {
    const { r, s, v } = this.opened().signingKey.sign(digest);
    return Promise.resolve({ r: r.slice(2), s: s.slice(2), v });
  }

  destroy(): Promise<void> {
    this.wallet = undefined;
    return Promise.resolve();
  }

  private opened(): HDNodeWallet {
    if (!this.wallet) throw new Error('The signer is not open');
    return this.wallet;
  }
}
