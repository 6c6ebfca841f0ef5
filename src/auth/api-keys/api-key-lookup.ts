import { Injectable } from '@nestjs/common';
import type { AuthenticationFailureCause } from '../../access/authentication-failures';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { RowLookup } from '../../database/integrity/row-lookup';
import { UnitOfWork } from '../../database/unit-of-work';
import { ApiKeyEntity } from './api-key.entity';

/** A key as it is stored, or why there is none that can be used. */
export type FoundApiKey = Readonly<ApiKeyEntity> | 'unknown_key' | 'altered';

/** Finds the keys of requests as they are now: nothing is cached, so that a change holds on every instance at once. */
@Injectable()
export class ApiKeyLookup {
  private readonly rows: RowLookup<ApiKeyEntity>;

  constructor(unitOfWork: UnitOfWork, integrity: RowIntegrity) {
    this.rows = new RowLookup<ApiKeyEntity>(unitOfWork, ApiKeyEntity, undefined, {
      integrity,
      hidesUnknown: true,
    });
  }

  async find(id: string): Promise<FoundApiKey> {
    try {
      return (await this.rows.find(id)) ?? 'unknown_key';
    } catch (error) {
      if (error instanceof RowAlteredError) return 'altered';
      throw error;
    }
  }
}

/**
 * Why a key does not work any more; undefined for one that does. Expiry goes by the clock of this instance: one that is ahead ends
 * keys early, one that is behind ends them late.
 */
export function endOf({ revokedAt, expiresAt }: ApiKeyEntity): AuthenticationFailureCause | undefined {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : undefined;
}
