import { Injectable } from '@nestjs/common';
import { Batches } from '../common/event-loop/batches';
import { settledOrLate } from '../common/event-loop/within';
import { UnitOfWork } from './unit-of-work';

/** The maximum number of units in a transaction. */
const MAX_TOGETHER = 64;
/** How long later units wait for units that run in transactions of their own. */
const PATIENCE_MS = 100;

interface Unit {
  readonly work: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets concurrent units of work share a transaction: its begin, its commit and its audit rows cost the same for one
 * unit as for many. For background work only: units wait for earlier ones, but not for rows that others have locked.
 */
@Injectable()
export class SharedUnits {
  private readonly together = new Batches<Unit>(MAX_TOGETHER, (units) => this.commit(units));

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Runs `work` under the rules of a unit of work. It runs again if another unit fails.
   *
   * @throws the error of the work: nothing of it is stored, and other units are not affected
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      const unit: Unit = {
        work: async () => {
          result = await work();
        },
        resolve: () => resolve(result),
        reject,
      };
      this.together.add(unit).catch(reject);
    });
  }

  private async commit(units: readonly Unit[]): Promise<void> {
    const all = async (): Promise<void> => {
      for (const { work } of units) await work();
    };
    if (units.length > 1 && (await this.unitOfWork.runOnce(all))) {
      for (const { resolve } of units) resolve();
      return;
    }
    const alone = units.map(({ work, resolve, reject }) => this.unitOfWork.run(work).then(resolve, reject));
    await settledOrLate(Promise.all(alone), PATIENCE_MS);
  }
}
