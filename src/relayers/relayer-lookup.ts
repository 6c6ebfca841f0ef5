import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { In } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work';
import { RelayerEntity } from './relayer.entity';

const MAX_BATCH = 100;

/**
 * Relayers as they are now, for requests that act with them. What is asked for in one turn of the event loop shares
 * one statement, which starts after all of it was asked for; nothing is kept. So nobody sees a state that is
 * older than the request.
 */
@Injectable()
export class RelayerLookup {
  private readonly loader = new DataLoader<string, RelayerEntity | null>((ids) => this.load(ids), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    // After the turn's last incoming request.
    batchScheduleFn: (dispatch) => void setImmediate(dispatch),
  });

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** A relayer that others may hold too, so it must not be changed. */
  find(id: string): Promise<Readonly<RelayerEntity> | null> {
    // A statement that is shared with others would not see the transaction.
    return this.unitOfWork.inProgress ? this.relayers.findOneBy({ id }) : this.loader.load(id);
  }

  private async load(ids: readonly string[]): Promise<(RelayerEntity | null)[]> {
    const found = await this.relayers.findBy({ id: In([...new Set(ids)]) });
    const byId = new Map(found.map((relayer) => [relayer.id, relayer]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  private get relayers() {
    return this.unitOfWork.repository(RelayerEntity);
  }
}
