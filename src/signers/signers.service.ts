import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NetworkType } from '../chains/network-type';
import type { ListPage } from '../common/pagination/list-page';
import type { PageQuery } from '../common/pagination/page-query';
import { SecretCipher, type SecretPlace, secretPlace } from '../secrets/secret-cipher';
import { IDENTIFIER } from '../common/validation/fields';
import { describeDependents } from '../database/references';
import { isForeignKeyViolation, isUniqueViolation } from '../database/drivers/driver-errors';
import { ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { SIGNER_SECRET, SignerEntity } from './signer.entity';
import {
  signerExists,
  signerInUse,
  signerNotFound,
  signerReadsFiles,
  signerTypeUnknown,
} from './signer.errors';
import { proveSigner, type SignerIdentity } from './signer-identity';
import { SignerKinds } from './signer-kinds';
import { SignerMetrics } from './signer.metrics';
import type { OpenSigner } from './opening/open-signer';
import { SignerPool } from './opening/signer-pool';
import type { DigestSignature } from '../chains/evm/digest-signature';
import type { SignerMaterial, SignerProviderFactory, SignerSources } from './signer-provider';

/** The account that a relayer acts with: a signer's key on a type of network. */
export interface SigningAccount {
  signerId: string;
  networkType: NetworkType;
  address: string;
}

/** A key that is ready to sign. */
export interface OpenKey {
  /** See {@link SignerProvider.isRemote}. */
  readonly isRemote: boolean;
  /** Signs 32 bytes as they are. @throws SignerFailure */
  readonly sign: (digest: Uint8Array) => Promise<DigestSignature>;
}

/** A signer that was checked and has signed, ready to be stored. */
export interface PreparedSigner {
  kind: string;
  material: SignerMaterial;
  identity: SignerIdentity;
}

/** Signers and the keys behind them. */
@Injectable()
export class SignersService {
  private readonly signers: ProtectedRows<SignerEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly kinds: SignerKinds,
    private readonly pool: SignerPool,
    private readonly metrics: SignerMetrics,
    integrity: RowIntegrity,
  ) {
    this.signers = new ProtectedRows(unitOfWork, integrity, SignerEntity);
  }

  /** @throws RowAlteredError */
  find(id: string): Promise<Readonly<SignerEntity> | null> {
    return this.signers.findById(id);
  }

  /** Also true of a signer whose row was altered. */
  exists(id: string): Promise<boolean> {
    return this.signers.exists({ id });
  }

  list(query: PageQuery): Promise<ListPage<SignerEntity>> {
    return this.signers.list(query);
  }

  /** @throws DomainError `signer_not_found`, `row_altered` */
  async require(id: string): Promise<Readonly<SignerEntity>> {
    const signer = IDENTIFIER.test(id) ? await this.find(id) : null;
    if (!signer) throw signerNotFound(id);
    return signer;
  }

  /**
   * Checks the configuration of a new signer and has it sign a challenge; nothing is stored yet.
   *
   * @throws DomainError `invalid_request`, and SignerFailure where a key service fails
   */
  async prepare(kind: string, config: unknown, sources: SignerSources): Promise<PreparedSigner> {
    const factory = this.kinds.find(kind);
    if (!factory) throw signerTypeUnknown(this.kinds.namesFor(sources));
    if (factory.readsFiles && !sources.mayNameFiles) throw signerReadsFiles(kind);
    const material = await factory.prepare(config, sources);
    try {
      return await this.prove(factory.storedAs ?? kind, material);
    } catch (error) {
      material.secret?.destroy();
      throw error;
    }
  }

  /** Has a signer that is not stored yet sign a challenge. @throws SignerFailure */
  async prove(kind: string, material: SignerMaterial): Promise<PreparedSigner> {
    const provider = this.factory(kind).open(material);
    try {
      const identity = await this.metrics.observeOpening(kind, async () => {
        await provider.init();
        return proveSigner(provider);
      });
      return { kind, material, identity };
    } finally {
      await provider.destroy();
    }
  }

  /** Stores a signer; fails on an id that is taken. */
  async create(id: string, { kind, material, identity }: PreparedSigner): Promise<SignerEntity> {
    const { settings, secret } = material;
    const signer = {
      id,
      kind,
      settings,
      secret: secret && this.cipher.seal(secret, placeOf({ id, kind, settings })),
      ...identity,
      createdAt: new Date(),
    };
    return this.unitOfWork.run(() => this.signers.insert(signer));
  }

  /** Checks, tries and stores a signer. @throws DomainError `invalid_request`, `signer_exists`, SignerFailure */
  async createNew(
    id: string = randomUUID(),
    kind: string,
    config: unknown,
    sources: SignerSources,
  ): Promise<SignerEntity> {
    // Before a key service is asked for nothing; the insert decides.
    if (await this.exists(id)) throw signerExists();
    const prepared = await this.prepare(kind, config, sources);
    try {
      return await this.create(id, prepared);
    } catch (error) {
      throw isUniqueViolation(error) ? signerExists() : error;
    } finally {
      prepared.material.secret?.destroy();
    }
  }

  /** @throws DomainError `signer_not_found`, `signer_in_use` */
  async delete(id: string): Promise<void> {
    if (!IDENTIFIER.test(id)) throw signerNotFound(id);
    try {
      if (!(await this.unitOfWork.run(() => this.signers.delete(id)))) throw signerNotFound(id);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw signerInUse(id, await describeDependents(this.unitOfWork.manager, { signer_id: id }));
    }
    this.pool.forget(id);
  }

  /** Address and public key; a signer that was stored without them is asked once. */
  async identityOf(signer: SignerEntity): Promise<SignerIdentity> {
    const { address, publicKey } = signer;
    if (address !== null && publicKey !== null) return { address, publicKey };
    this.pool.forget(signer.id);
    const identity = await (await this.open(signer.id)).use(proveSigner);
    await this.unitOfWork.run(() => this.saveIdentity(signer.id, identity));
    return identity;
  }

  private async saveIdentity(id: string, identity: SignerIdentity): Promise<void> {
    const signer = await this.signers.findToChange(id);
    if (signer) await this.signers.update(signer, identity);
  }

  /** The address of a signer that is not stored yet. */
  async addressOf(
    { kind, material }: { kind: string; material: SignerMaterial },
    networkType: NetworkType,
  ): Promise<string> {
    const provider = this.factory(kind).open(material);
    try {
      await provider.init();
      return await provider.address(networkType);
    } finally {
      await provider.destroy();
    }
  }

  /**
   * The address of a stored signer on networks of a type. Asked of the row: what is open here may be a signer of this
   * id that was deleted and made anew with another key, by another instance.
   */
  async address(signer: SignerEntity, networkType: NetworkType): Promise<string> {
    const identity = await this.identityOf(signer);
    const { provider } = await this.openFor({
      signerId: signer.id,
      networkType: 'evm',
      address: identity.address,
    });
    return provider.address(networkType);
  }

  /**
   * Holds a signer as it is until the end of the unit of work.
   *
   * @throws DomainError `signer_not_found` where it was deleted since it was read, also where it was made anew
   */
  async hold({ id, address, createdAt }: SignerEntity): Promise<void> {
    // MariaDB has no FOR SHARE.
    const now = await this.signers.findToChange(id);
    const unchanged =
      now?.createdAt.getTime() === createdAt.getTime() && (address ?? now.address) === now.address;
    if (!unchanged) throw signerNotFound(id);
  }

  /**
   * The key of an account, open. That takes no time where it is open already, and as long as a key service does where not.
   *
   * @throws Error for a signer that meanwhile holds another key than the account was made with, or SignerFailure
   */
  async openKey(account: SigningAccount): Promise<OpenKey> {
    const found = await this.openFor(account);
    // Closed meanwhile, because it was idle or its row was gone: which of them shows when it is opened anew.
    const signer = found.isClosed ? await this.openFor(account) : found;
    return {
      isRemote: signer.provider.isRemote,
      sign: (digest) =>
        this.metrics.observe(signer.kind, () => signer.use((provider) => provider.signDigest(digest))),
    };
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
      const { kind, createdAt } = signer;
      const material = this.materialOf(signer);
      try {
        const provider = this.factory(kind).open(material);
        await provider.init();
        return { kind, provider, createdAt };
      } finally {
        material.secret?.destroy();
      }
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
      secret: signer.secret === null ? null : this.cipher.open(signer.secret, placeOf(signer)),
    };
  }
}

function placeOf({ id, kind, settings }: Pick<SignerEntity, 'id' | 'kind' | 'settings'>): SecretPlace {
  return secretPlace(SIGNER_SECRET, id, { kind, settings });
}

async function holds({ provider }: OpenSigner, account: SigningAccount): Promise<boolean> {
  return (await provider.address(account.networkType)) === account.address;
}
