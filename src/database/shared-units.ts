import { Injectable } from '@nestjs/common';
import { Batches } from '../common/event-loop/batches';
import { UnitOfWork } from './unit-of-work';

/** Units of one transaction at most. */
const MAX_TOGETHER = 64;

interface Unit {
  readonly work: () => Promise<unknown>;
  failure?: { error: unknown };
}

/**
 * Units of work that come at the same time share a transaction: its beginning, its commit and its audit rows cost the same for one
 * and for many. For background work: units wait for those before them.
 */
@Injectable()
export class SharedUnits {
  private readonly together = new Batches<Unit>(MAX_TOGETHER, (units) => this.commit(units));

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Runs `work` in a unit of work, whose rules apply; it runs again where another unit fails.
   *
   * @throws what the work throws: nothing of it is stored, and other units are not concerned
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let result: T | undefined;
    const unit: Unit = {
      work: async () => {
        result = await work();
      },
    };
    await this.together.add(unit);
    if (unit.failure) throw unit.failure.error;
    return result as T;
  }

  private async commit(units: readonly Unit[]): Promise<void> {
    if (units.length > 1 && (await this.unitOfWork.runTogether(units.map(({ work }) => work)))) return;
    await Promise.all(
      units.map((unit) =>
        this.unitOfWork.run(unit.work).catch((error: unknown) => {
          unit.failure = { error };
        }),
      ),
    );
  }
}
