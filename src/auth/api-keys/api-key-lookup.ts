import { Injectable } from '@nestjs/common';
import type { AuthenticationFailureCause } from '../../access/authentication-failures';
import { orOn } from '../../common/errors/or-on';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { RowLookup } from '../../database/integrity/row-lookup';
import { UnitOfWork } from '../../database/unit-of-work';
import { ApiKeyEntity } from './api-key.entity';

/** A stored key, or why it cannot be used. */
export type FoundApiKey = Readonly<ApiKeyEntity> | 'unknown_key' | 'altered';

/**
 * Reads the current keys for requests. Nothing is cached, so that a change takes effect on every instance immediately.
 * What a unit of work reads stays valid until its end.
 */
@Injectable()
export class ApiKeyLookup {
  private readonly rows: RowLookup<ApiKeyEntity>;

  constructor(unitOfWork: UnitOfWork, integrity: RowIntegrity) {
    this.rows = new RowLookup<ApiKeyEntity>(unitOfWork, ApiKeyEntity, undefined, {
      integrity,
      hidesUnknown: true,
      locksInUnits: true,
    });
  }

  async find(id: string): Promise<FoundApiKey> {
    const key = await orOn(RowAlteredError, 'altered' as const, () => this.rows.find(id));
    return key ?? 'unknown_key';
  }
}

/**
 * Why a key is no longer valid; undefined if it is valid. The clock of this instance determines expiry: if it is fast,
 * keys expire early; if it is slow, late.
 */
export function endOf({ revokedAt, expiresAt }: ApiKeyEntity): AuthenticationFailureCause | undefined {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : undefined;
}
