import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import { currentPrincipal } from '../access/principal';
import { currentReach, isReachable, outOfReach } from '../access/relayer-reach';
import { AuditLog } from '../audit/audit-log';
import { ApprovalsService } from '../approvals/approvals.service';
import { fingerprintOf } from '../approvals/fingerprint';
import type { ListPage } from '../common/pagination/list-page';
import type { PageQuery } from '../common/pagination/page-query';
import { type DomainError, forbidden } from '../common/errors/domain-error';
import { isForeignKeyViolation, isUniqueViolation } from '../database/drivers/driver-errors';
import { ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { describeDependents, hasDependents } from '../database/references';
import { UnitOfWork } from '../database/unit-of-work';
import { NotificationEvents } from '../notifications/events/notification-events';
import { SecretCipher } from '../secrets/secret-cipher';
import { type PreparedSigner, SignerPreparation } from './opening/signer-preparation';
import { SignerPool } from './opening/signer-pool';
import type { SignerIdentity } from './signer-identity';
import type { SignerSources } from './signer-provider';
import { signerCreated, signerDeleted, signerUpdated } from './signer-audit';
import { SignerEntity, signerSecretPlace } from './signer.entity';
import { SignerReach } from './signer-reach';
import { signerExists, signerInUse, signerNotFound } from './signer.errors';

/** The stored signers. */
@Injectable()
export class SignersService {
  private readonly signers: ProtectedRows<SignerEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly preparation: SignerPreparation,
    private readonly pool: SignerPool,
    private readonly events: NotificationEvents,
    private readonly audit: AuditLog,
    private readonly approvals: ApprovalsService,
    private readonly access: OngoingAccess,
    private readonly reach: SignerReach,
    integrity: RowIntegrity,
  ) {
    this.signers = new ProtectedRows(unitOfWork, integrity, SignerEntity);
  }

  list(query: PageQuery): Promise<ListPage<SignerEntity>> {
    return this.signers.list(query);
  }

  /** @throws RowAlteredError */
  find(id: string): Promise<Readonly<SignerEntity> | null> {
    return this.signers.findById(id);
  }

  /** Also true for a signer whose row was altered. */
  exists(id: string): Promise<boolean> {
    return this.signers.exists({ id });
  }

  /** @throws DomainError `signer_not_found`, `row_altered` */
  async getOrThrow(id: string): Promise<Readonly<SignerEntity>> {
    const signer = await this.find(id);
    if (!signer) throw signerNotFound(id);
    return signer;
  }

  /** Stores a signer; fails if the id is taken. */
  async create(id: string, { kind, material, identity }: PreparedSigner): Promise<SignerEntity> {
    const { settings, secret } = material;
    const signer = {
      id,
      kind,
      settings,
      secret: secret && this.cipher.seal(secret, signerSecretPlace({ id, kind, settings })),
      ...identity,
      createdBy: currentPrincipal()?.id ?? null,
      createdAt: new Date(),
    };
    return this.unitOfWork.run(async () => {
      const created = await this.signers.insert(signer);
      await this.audit.record(signerCreated(created));
      return created;
    });
  }

  /**
   * Checks, tests and stores a signer.
   *
   * @throws DomainError `invalid_request`, `signer_exists`, `signing_frozen`; `unauthorized` and `forbidden` if the API
   * key of the request has lost its rights while a key service was called; SignerFailure
   */
  async createNew(
    id: string = randomUUID(),
    kind: string,
    config: unknown,
    sources: SignerSources,
  ): Promise<SignerEntity> {
    // Avoids calls to a key service; the insert is what decides.
    if (await this.exists(id)) throw signerExists();
    const prepared = await this.preparation.prepare(kind, config, sources);
    try {
      return await this.unitOfWork.run(async () => {
        await this.access.recheck('signers:write');
        return this.create(id, prepared);
      });
    } catch (error) {
      throw isUniqueViolation(error) ? signerExists() : error;
    } finally {
      prepared.material.secret?.destroy();
    }
  }

  /** Stores the identity of a signer, unless the signer was deleted meanwhile. */
  async saveIdentity(id: string, identity: SignerIdentity): Promise<void> {
    await this.unitOfWork.run(async () => {
      const signer = await this.signers.findToChange(id);
      if (!signer) return;
      const entry = signerUpdated(signer, await this.signers.update(signer, identity));
      if (entry) await this.audit.record(entry);
    });
  }

  /** @throws DomainError `signer_not_found`, `signer_in_use`, `forbidden`; ApprovalRequiredError */
  async delete(id: string): Promise<void> {
    try {
      await this.unitOfWork.run(() => this.deleteAlone(id));
    } catch (error) {
      throw isForeignKeyViolation(error) ? await this.inUse(id) : error;
    }
    this.pool.forget(id);
  }

  private async deleteAlone(id: string): Promise<void> {
    const { intact, altered } = await this.signers.findIntact({ where: { id }, lock: 'wait' });
    await this.access.recheck('signers:write');
    if (intact.length + altered.length === 0) throw signerNotFound(id);
    if (currentReach()) await this.assertReachesAccounts(id, intact[0]);
    await this.signers.delete(id);
    // Approval is only requested for a deletion that is possible.
    const base = intact[0] ? this.signers.fingerprintOf(intact[0]) : fingerprintOf(`${id} was altered`);
    await this.approvals.require(['signer_delete'], { base });
    await this.audit.record(signerDeleted(id, intact[0]));
    const address = intact[0]?.address ?? null;
    await this.events.recordForSubscribers('signer_deleted', {
      payload_type: 'signer_deleted',
      signer: { id, ...(address !== null && { address }) },
    });
  }

  /**
   * The coins on the accounts of a signer may be lost with its key, also before it has a relayer. While the signer is
   * locked, no relayer can start to use it.
   *
   * @param signer undefined if the row was altered
   */
  private async assertReachesAccounts(id: string, signer: SignerEntity | undefined): Promise<void> {
    if (await hasDependents(this.unitOfWork.manager, { signer_id: id })) throw await this.inUse(id);
    const address = signer?.address;
    if (!address) throw outOfReach(`the account of signer '${id}', which is unknown`);
    await this.reach.assertReachesOthersAt({ address });
    await this.reach.assertReachesFormer({ signerId: id, address });
    const isOwn = signer.createdBy !== null && signer.createdBy === currentPrincipal()?.id;
    if (!isOwn && !(await this.reach.hasAny({ signerId: id, address })))
      throw forbidden(`this API key has not created signer '${id}', and reaches no relayer that used it`);
  }

  private async inUse(id: string): Promise<DomainError> {
    const reference = { signer_id: id };
    return signerInUse(id, await describeDependents(this.unitOfWork.manager, reference, isReachable));
  }

  /**
   * Locks a signer until the end of the unit of work.
   *
   * @throws DomainError `signer_not_found` if it was deleted since it was read, even if it was created again
   */
  async lock({ id, address, createdAt }: SignerEntity): Promise<void> {
    // MariaDB has no FOR SHARE.
    const now = await this.signers.findToChange(id);
    const unchanged =
      now?.createdAt.getTime() === createdAt.getTime() && (address ?? now.address) === now.address;
    if (!unchanged) throw signerNotFound(id);
  }
}
