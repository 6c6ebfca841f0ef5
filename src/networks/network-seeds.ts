import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work';
import { NetworkSeedEntity } from './network-seed.entity';

/** Remembers which built-in networks the database was given, so that one which was deleted does not come back. */
@Injectable()
export class NetworkSeeds {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Ids of the networks that were given. */
  async given(): Promise<ReadonlySet<string>> {
    return new Set((await this.unitOfWork.repository(NetworkSeedEntity).find()).map(({ id }) => id));
  }

  /** Fails with a unique violation where another instance was first. */
  async record(ids: string[]): Promise<void> {
    const createdAt = new Date();
    if (ids.length === 0) return;
    await this.unitOfWork.repository(NetworkSeedEntity).insert(ids.map((id) => ({ id, createdAt })));
  }
}
