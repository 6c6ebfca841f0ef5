import DataLoader from 'dataloader';
import { placeholders } from '../database/placeholders';
import type { UnitOfWork } from '../database/unit-of-work';

const MAX_BATCH = 100;

/** Finds the relayers with an address. Calls in the same turn of the event loop share a statement; nothing is cached. */
export class RelayersByAddress {
  private readonly loader = new DataLoader<string, readonly string[]>((addresses) => this.load(addresses), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: setImmediate,
  });

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @returns their ids, on all networks. Not for use in a unit of work, whose changes it does not see */
  idsOf(address: string): Promise<readonly string[]> {
    return this.loader.load(address);
  }

  private async load(addresses: readonly string[]): Promise<string[][]> {
    const different = [...new Set(addresses)];
    const rows = await this.unitOfWork.manager.query<{ id: string; address: string }[]>(
      `SELECT id, address FROM relayers WHERE address IN (${placeholders(different)})`,
      different,
    );
    return addresses.map((wanted) =>
      rows.filter(({ address }) => address === wanted).map((relayer) => relayer.id),
    );
  }
}
