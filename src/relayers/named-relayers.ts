import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { ApiKeyEntity } from '../auth/api-keys/api-key.entity';
import { UnitOfWork } from '../database/unit-of-work';

/** Relayers whose ids API keys name, whether or not they exist. */
@Injectable()
export class NamedRelayers {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Whether a key that is not revoked would reach a relayer with this id because it names it. */
  async has(id: string): Promise<boolean> {
    const keys = await this.unitOfWork.repository(ApiKeyEntity).find({
      select: { id: true, relayers: true },
      where: { revokedAt: IsNull(), relayers: Not(IsNull()) },
    });
    return keys.some(({ relayers }) => relayers?.includes(id));
  }
}
