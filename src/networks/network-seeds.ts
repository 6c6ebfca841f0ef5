import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work';
import { NetworkSeedEntity } from './network-seed.entity';

/** Records which built-in networks have been added to the database, so that a deleted one does not come back. */
@Injectable()
export class NetworkSeeds {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The ids of the networks that have been added. */
  async given(): Promise<ReadonlySet<string>> {
    return new Set((await this.unitOfWork.repository(NetworkSeedEntity).find()).map(({ id }) => id));
  }

  /** Fails with a unique violation if another instance was first. */
  async record(ids: string[]): Promise<void> {
    const createdAt = new Date();
    if (ids.length === 0) return;
    await this.unitOfWork.repository(NetworkSeedEntity).insert(ids.map((id) => ({ id, createdAt })));
  }
}
