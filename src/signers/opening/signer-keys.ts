import { Injectable, Logger } from '@nestjs/common';
import type { NetworkType } from '../../chains/network-type';
import { inSpan } from '../../common/tracing/spans';
import { SigningFreezeService } from '../../freeze/signing-freeze.service';
import { SecretCipher } from '../../secrets/secret-cipher';
import { checkedSignature } from '../checked-signature';
import { InMemorySignerProvider } from '../kinds/local/in-memory.provider';
import { Secp256k1Engine } from '../secp256k1/secp256k1-engine';
import { proveSigner, type SignerIdentity } from '../signer-identity';
import { SignerKinds } from '../signer-kinds';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import type { SignerMaterial, SignerProvider } from '../signer-provider';
import { type SignerEntity, signerSecretPlace } from '../signer.entity';
import { outcomeOf, SignerMetrics } from '../signer.metrics';
import { SignersService } from '../signers.service';
import { initialise } from './initialise';
import { OpenSigner } from './open-signer';
import { SignerPool } from './signer-pool';

/** The account of a relayer: a signer's key on a type of network. */
export interface SigningAccount {
  signerId: string;
  networkType: NetworkType;
  address: string;
}

/** A key that is ready to sign. */
export interface OpenKey {
  /** See {@link SignerProvider.isRemote}. */
  readonly isRemote: boolean;
  /** Signs a 32-byte digest without any prefix. The signature is by the key of the account. @throws SignerFailure */
  readonly sign: (digest: Uint8Array) => Promise<DigestSignature>;
}

/** The keys of stored signers: opens the signers and signs with them. */
@Injectable()
export class SignerKeys {
  private readonly logger = new Logger(SignerKeys.name);

  constructor(
    private readonly signers: SignersService,
    private readonly cipher: SecretCipher,
    private readonly kinds: SignerKinds,
    private readonly pool: SignerPool,
    private readonly metrics: SignerMetrics,
    private readonly freeze: SigningFreezeService,
    private readonly engine: Secp256k1Engine,
  ) {}

  /** The key of an account, if it is open. */
  find({ signerId, networkType, address }: SigningAccount): OpenKey | undefined {
    const signer = this.pool.find(signerId);
    return signer?.knownAddress(networkType) === address ? this.keyOf(signer, address) : undefined;
  }

  /**
   * Opens the key of an account, which takes as long as its key service needs.
   *
   * @throws DomainError `signer_not_found`, Error if the signer no longer holds the key of the account, SignerFailure
   */
  async open(account: SigningAccount): Promise<OpenKey> {
    return this.keyOf(await this.openUnclosed(account), account.address);
  }

  private keyOf(signer: OpenSigner, address: string): OpenKey {
    const { kind, provider } = signer;
    // Their signatures are made by the engine, which was tested at the start.
    const isTrusted = provider instanceof InMemorySignerProvider;
    const signWith = async (digest: Uint8Array): Promise<DigestSignature> =>
      checkedSignature(this.engine, digest, await provider.signDigest(digest), address);
    return {
      isRemote: provider.isRemote,
      sign: (digest) =>
        inSpan('sign', { attributes: { 'signer.kind': kind } }, () =>
          this.metrics.observe(kind, () =>
            signer.use(() => (isTrusted ? provider.signDigest(digest) : signWith(digest))),
          ),
        ),
    };
  }

  /**
   * The address and public key of a signer; one that was stored without them signs a challenge once. @throws
   * DomainError `signing_frozen`, `signer_not_found`
   */
  async identityOf(signer: SignerEntity): Promise<SignerIdentity> {
    const { address, publicKey } = signer;
    if (address !== null && publicKey !== null) return { address, publicKey };
    this.pool.forget(signer.id);
    const opened = await this.openSigner(signer.id);
    await this.freeze.assertNotFrozen();
    const identity = await opened.use((provider) => proveSigner(provider, this.engine));
    await this.signers.saveIdentity(signer.id, identity);
    return identity;
  }

  /**
   * The address of a stored signer on networks of a type. It is based on the row rather than on the open signer,
   * because another instance may have deleted the signer and created one with the same id and another key.
   *
   * @throws DomainError `signer_not_found` if it was deleted since it was read
   */
  async addressOf(signer: SignerEntity, networkType: NetworkType): Promise<string> {
    const { address } = await this.identityOf(signer);
    const account = { signerId: signer.id, networkType: 'evm', address } as const;
    // Opening has just verified the EVM address, so the signer is not used again: it may have been closed since.
    if (networkType === 'evm') return this.openFor(account).then(() => address);
    return (await this.openUnclosed(account)).use((provider) => provider.address(networkType));
  }

  /** Like {@link addressOf}, without opening the signer; undefined if that would be necessary. */
  knownAddressOf({ id, address }: SignerEntity, networkType: NetworkType): string | undefined {
    if (networkType === 'evm' && address !== null) return address;
    return this.pool.find(id)?.knownAddress(networkType);
  }

  private async openUnclosed(account: SigningAccount): Promise<OpenSigner> {
    const found = await this.openFor(account);
    // The signer was closed meanwhile, because it was idle or its row was deleted. Opening it again reveals which.
    return found.isClosed ? this.openFor(account) : found;
  }

  private async openFor(account: SigningAccount): Promise<OpenSigner> {
    const signer = await this.openSigner(account.signerId);
    if (await holdsKeyOf(signer, account)) return signer;
    // The signer may have been deleted and created again since it was opened.
    this.pool.forget(account.signerId);
    const reopened = await this.openSigner(account.signerId);
    if (await holdsKeyOf(reopened, account)) return reopened;
    throw new Error(`Signer ${account.signerId} does not hold the key of ${account.address}`);
  }

  private openSigner(id: string): Promise<OpenSigner> {
    return this.pool.get(id, async () => {
      const signer = await this.signers.getOrThrow(id);
      try {
        return await this.openStored(signer);
      } catch (error) {
        const { kind } = signer;
        this.metrics.countFailedOpening(kind, error);
        this.logger.warn('A signer cannot be opened', { signer_id: id, kind, outcome: outcomeOf(error) });
        throw error;
      }
    });
  }

  private async openStored(signer: SignerEntity): Promise<OpenSigner> {
    const { kind, createdAt } = signer;
    const material = this.materialOf(signer);
    try {
      const provider = this.kinds.getOrThrow(kind).open(material);
      await this.initialiseOrDiscard(provider);
      return new OpenSigner(kind, provider, createdAt);
    } finally {
      material.secret?.destroy();
    }
  }

  private async initialiseOrDiscard(provider: SignerProvider): Promise<void> {
    try {
      await initialise(provider);
    } catch (error) {
      void discard(provider);
      throw error;
    }
  }

  private materialOf(signer: SignerEntity): SignerMaterial {
    const { settings, secret } = signer;
    return { settings, secret: secret === null ? null : this.cipher.open(secret, signerSecretPlace(signer)) };
  }
}

async function holdsKeyOf(signer: OpenSigner, account: SigningAccount): Promise<boolean> {
  return (await signer.address(account.networkType)) === account.address;
}

/**
 * Destroys a provider whose initialisation failed: it may hold connections. Errors are ignored, because the reason of
 * the failure is already known.
 */
async function discard(provider: SignerProvider): Promise<void> {
  try {
    await provider.destroy();
  } catch {
    // Nothing uses the provider.
  }
}
