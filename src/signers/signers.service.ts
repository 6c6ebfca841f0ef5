import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../common/errors/domain-error';
import type { NetworkType } from '../common/networks/network-type';
import { SecretCipher } from '../common/secrets/secret-cipher';
import { UnitOfWork } from '../database/unit-of-work';
import { SIGNER_SECRET, SignerEntity } from './signer.entity';
import { SignerKinds } from './signer-kinds';
import { SignerMetrics } from './signer.metrics';
import { type OpenSigner, SignerPool } from './signer-pool';
import type {
  DigestSignature,
  SignerMaterial,
  SignerProviderFactory,
  SignerSources,
} from './signer-provider';

/** The account that a relayer acts with: a signer's key on a type of network. */
export interface SigningAccount {
  signerId: string;
  networkType: NetworkType;
  address: string;
}

/** Signers and the keys behind them. */
@Injectable()
export class SignersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly kinds: SignerKinds,
    private readonly pool: SignerPool,
    private readonly metrics: SignerMetrics,
  ) {}

  find(id: string): Promise<SignerEntity | null> {
    return this.unitOfWork.repository(SignerEntity).findOneBy({ id });
  }

  /** Stores a signer; fails on an id that is taken. */
  async create(id: string, kind: string, material: SignerMaterial): Promise<void> {
    await this.unitOfWork.repository(SignerEntity).insert({
      id,
      kind,
      settings: material.settings,
      secret: material.secret && this.cipher.seal(material.secret, { ...SIGNER_SECRET, row: id }),
      createdAt: new Date(),
    });
  }

  /**
   * Checks the configuration of a new signer; see {@link SignerProviderFactory.prepare}.
   *
   * @throws DomainError `invalid_request`
   */
  prepare(kind: string, config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const factory = this.kinds.find(kind);
    if (!factory) throw invalidRequest(`type must be one of ${this.kinds.names.join(', ')}`);
    return factory.prepare(config, sources);
  }

  /** The address of a signer that is not stored yet. */
  async addressOf(
    signer: { kind: string; material: SignerMaterial },
    networkType: NetworkType,
  ): Promise<string> {
    const provider = this.factory(signer.kind).open(signer.material);
    try {
      await provider.init();
      return await provider.address(networkType);
    } finally {
      await provider.destroy();
    }
  }

  /** The address of a stored signer on networks of a type. */
  async address(id: string, networkType: NetworkType): Promise<string> {
    return (await this.open(id)).provider.address(networkType);
  }

  /**
   * Signs 32 bytes with the key of an account. A signer that meanwhile holds another key than the account was
   * made with does not sign.
   */
  async signDigest(account: SigningAccount, digest: Uint8Array): Promise<DigestSignature> {
    const { kind, provider } = await this.openFor(account);
    return this.metrics.observe(kind, () => provider.signDigest(digest));
  }

  private async openFor(account: SigningAccount): Promise<OpenSigner> {
    const signer = await this.open(account.signerId);
    if (await holds(signer, account)) return signer;
    // The signer may have been deleted and made anew since it was opened here.
    this.pool.forget(account.signerId);
    const reopened = await this.open(account.signerId);
    if (await holds(reopened, account)) return reopened;
    throw new Error(`Signer ${account.signerId} does not hold the key of ${account.address}`);
  }

  private open(id: string): Promise<OpenSigner> {
    return this.pool.get(id, async () => {
      const signer = await this.find(id);
      if (!signer) throw new Error(`Signer ${id} is not stored`);
      return { kind: signer.kind, provider: this.factory(signer.kind).open(this.materialOf(signer)) };
    });
  }

  private factory(kind: string): SignerProviderFactory {
    const factory = this.kinds.find(kind);
    if (!factory) throw new Error(`No module offers signers of kind ${kind}`);
    return factory;
  }

  private materialOf(signer: SignerEntity): SignerMaterial {
    return {
      settings: signer.settings,
      secret:
        signer.secret === null ? null : this.cipher.open(signer.secret, { ...SIGNER_SECRET, row: signer.id }),
    };
  }
}

async function holds({ provider }: OpenSigner, account: SigningAccount): Promise<boolean> {
  return (await provider.address(account.networkType)) === account.address;
}
