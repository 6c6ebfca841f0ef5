import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { changesOf as auditedChangesOf } from '../../audit/changed-fields';
import { AuditLog } from '../../audit/audit-log';
import { GeneralRateLimit } from '../../access/general-rate-limit';
import { currentPrincipal } from '../../access/principal';
import { ApprovalsService } from '../../approvals/approvals.service';
import { fingerprintOf } from '../../approvals/fingerprint';
import type { ListPage } from '../../common/pagination/list-page';
import type { PageQuery } from '../../common/pagination/page-query';
import type { AppConfig } from '../../config/app-config';
import type { ApprovalKind } from '../../config/approvals-format';
import { RevisedRows } from '../../database/integrity/revised-rows';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import type { RowCondition } from '../../database/row-condition';
import { UnitOfWork } from '../../database/unit-of-work';
import { apiKeyEntry } from './api-key-audit';
import { apiKeyHasNoSecret, apiKeyNotFound } from './api-key.errors';
import { ApiKeyEntity } from './api-key.entity';
import { type ApiKeyGrant, assertChanges, assertWithin, excessOf } from './api-key-grant';
import { assertValid } from './api-key-validity';
import type { UpdateApiKeyDto } from './dto/update-api-key.dto';
import { type NewApiKey, toExpiry, toRateLimit } from './new-api-key';

const NOT_REVOKED: RowCondition = { sql: 'revoked_at IS NULL', values: [] };

/** Manages the keys of clients. Nobody can grant more rights than they have, see {@link assertWithin}. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger(ApiKeysService.name);
  private readonly keys: RevisedRows<ApiKeyEntity>;
  private readonly overlapMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly approvals: ApprovalsService,
    private readonly general: GeneralRateLimit,
    integrity: RowIntegrity,
    config: ConfigService<AppConfig, true>,
  ) {
    this.keys = new RevisedRows(unitOfWork, integrity, ApiKeyEntity);
    this.overlapMs = config.get('apiKeyOverlapMs', { infer: true });
  }

  list(query: PageQuery): Promise<ListPage<ApiKeyEntity>> {
    return this.keys.list(query, NOT_REVOKED);
  }

  /** @throws DomainError `api_key_not_found`, `row_altered` */
  async getOrThrow(id: string): Promise<Readonly<ApiKeyEntity>> {
    const key = await this.keys.findById(id);
    if (!key || key.revokedAt) throw apiKeyNotFound(id);
    return key;
  }

  /**
   * Stores a new key.
   *
   * @throws DomainError `forbidden`; ApprovalRequiredError, because otherwise the creator could use the key to approve
   * requests of their own
   */
  async create(row: NewApiKey['row']): Promise<ApiKeyEntity> {
    const key = await this.unitOfWork.run(async () => {
      assertWithin(row, await this.grantOfCaller(), this.general.current);
      await this.approvals.require(['api_key_scope'], { base: fingerprintOf(row.id) });
      const created = await this.keys.insert(row);
      await this.audit.record(apiKeyEntry('api_key.create', created.id, null, created));
      return created;
    });
    this.logger.log('API key created', { id: key.id, name: key.name });
    return key;
  }

  /** @throws DomainError `api_key_not_found`, `forbidden`, `invalid_request`, `row_altered`; ApprovalRequiredError to grant more */
  update(id: string, dto: UpdateApiKeyDto): Promise<ApiKeyEntity> {
    return this.unitOfWork.run(async () => {
      const { key, caller } = await this.findWithCaller(id);
      assertChanges(key, caller, this.general.current);
      const changes = changesOf(dto);
      const changed = Object.assign(new ApiKeyEntity(), key, changes);
      assertWithin(changed, caller, this.general.current);
      await this.requireApproval(key, excessOf(changed, key, this.general.current) !== undefined);
      if (Object.keys(changes).length === 0) return key;
      const after = await this.keys.update(key, changes);
      await this.audit.record(apiKeyEntry('api_key.update', id, key, after));
      return after;
    });
  }

  /**
   * Replaces the secret. The current one stays valid for a while; a secret from before an earlier rotation does not.
   * Without an overlap, the current one may have leaked, so changes that were requested or approved with it may be those
   * of someone else: they must be requested and approved again.
   *
   * @param secretHash the hash of the new text
   * @throws DomainError `api_key_not_found`, `forbidden`, `invalid_request`, `row_altered`; ApprovalRequiredError for a
   * key other than the caller's own, because with its new secret the caller would have two keys
   */
  async rotate(id: string, secretHash: string, overlapSeconds: number | undefined): Promise<ApiKeyEntity> {
    const overlapMs = overlapSeconds === undefined ? this.overlapMs : overlapSeconds * 1000;
    const key = await this.unitOfWork.run(async () => {
      const { key: found, caller } = await this.findWithCaller(id);
      assertChanges(found, caller, this.general.current);
      if (found.secretHash === null) throw apiKeyHasNoSecret();
      await this.requireApproval(found, currentPrincipal()?.id !== id);
      const rotated = await this.keys.update(found, {
        secretHash,
        previousSecretHash: overlapMs > 0 ? found.secretHash : null,
        previousValidUntil: overlapMs > 0 ? new Date(Date.now() + overlapMs) : null,
      });
      await this.audit.record(apiKeyEntry('api_key.rotate', id, found, rotated));
      if (overlapMs <= 0) await this.approvals.withdrawAll(id);
      return rotated;
    });
    this.logger.log('API key rotated', { id });
    return key;
  }

  /**
   * Revokes the key on every instance, with effect from its next request.
   *
   * @throws DomainError `api_key_not_found`; `unauthorized`, `forbidden` if the caller's key has changed meanwhile
   */
  async revoke(id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      try {
        const { key } = await this.findWithCaller(id);
        await this.keys.update(key, { revokedAt: new Date() });
        await this.audit.record(apiKeyEntry('api_key.revoke', id, key, null));
      } catch (error) {
        // An altered row cannot be used; deleting it is the remedy.
        if (!(error instanceof RowAlteredError) || error.id !== id) throw error;
        await this.grantOfCaller();
        await this.keys.delete(id);
        await this.audit.record({ action: 'api_key.revoke', changes: auditedChangesOf(id, {}, null) });
      }
    });
    this.logger.log('API key revoked', { id });
  }

  private async requireApproval(key: ApiKeyEntity, grantsMore: boolean): Promise<void> {
    const kinds: ApprovalKind[] = grantsMore ? ['api_key_scope'] : [];
    if (!this.approvals.concerns(kinds)) return;
    await this.approvals.require(kinds, { base: this.keys.fingerprintOf(key) });
  }

  private async findToChange(id: string): Promise<ApiKeyEntity> {
    const key = await this.keys.findToChange(id);
    if (!key || key.revokedAt) throw apiKeyNotFound(id);
    return key;
  }

  /** Locks a key and that of the caller in the order of their ids, so that keys that change each other cannot deadlock. */
  private async findWithCaller(id: string): Promise<{ key: ApiKeyEntity; caller: ApiKeyGrant | null }> {
    const caller = currentPrincipal();
    if (caller?.kind === 'api_key' && caller.id <= id) {
      const grant = await this.grantOfCaller();
      return { key: await this.findToChange(id), caller: grant };
    }
    const key = await this.findToChange(id);
    return { key, caller: await this.grantOfCaller() };
  }

  /**
   * The current rights of the caller; null for the root key and for the service itself. Its key is locked: once its
   * revocation, or its rotation without an overlap, is acknowledged, it changes nothing more.
   *
   * @throws DomainError `unauthorized`, `forbidden`
   */
  private async grantOfCaller(): Promise<ApiKeyGrant | null> {
    const caller = currentPrincipal();
    if (caller?.kind !== 'api_key') return null;
    return assertValid((await this.keys.findToChange(caller.id)) ?? 'unknown_key', 'api-keys:manage').key;
  }
}

function changesOf(dto: UpdateApiKeyDto): Partial<ApiKeyEntity> {
  return {
    ...(typeof dto.name === 'string' && { name: dto.name }),
    ...(dto.scopes && { scopes: dto.scopes }),
    ...(dto.relayers !== undefined && { relayers: dto.relayers }),
    ...(dto.groups !== undefined && { groups: dto.groups }),
    ...(dto.expires_at !== undefined && { expiresAt: toExpiry(dto.expires_at) }),
    ...(dto.allowed_ips !== undefined && { allowedIps: dto.allowed_ips }),
    ...(dto.rate_limit !== undefined && { rateLimit: toRateLimit(dto.rate_limit) }),
  };
}
