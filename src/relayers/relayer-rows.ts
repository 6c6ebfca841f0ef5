import { Injectable } from '@nestjs/common';
import { RevisedRows } from '../database/integrity/revised-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { RelayerEntity } from './relayer.entity';

/** The rows of relayers, regardless of what the current request can reach. */
@Injectable()
export class RelayerRows extends RevisedRows<RelayerEntity> {
  constructor(unitOfWork: UnitOfWork, integrity: RowIntegrity) {
    super(unitOfWork, integrity, RelayerEntity, ['policies', 'customRpcUrls']);
  }

  /** A relayer that was stored a moment ago. @throws RowAlteredError */
  async getOrThrow(id: string): Promise<RelayerEntity> {
    const relayer = await this.findOneBy({ id });
    if (!relayer) throw new Error(`Relayer ${id} is not stored`);
    return relayer;
  }
}
