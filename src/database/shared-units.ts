import { Injectable } from '@nestjs/common';
import { Batches } from '../common/event-loop/batches';
import { settledOrLate } from '../common/event-loop/within';
import { getOrCreate } from '../common/get-or-create';
import { UnitOfWork } from './unit-of-work';

/** The maximum number of units in a transaction. */
const MAX_TOGETHER = 64;
/** How long later units wait for units that run in transactions of their own. */
const PATIENCE_MS = 100;

/** Stores several items with the same statements. @returns a result for each item, in order */
type Store<T, R> = (items: readonly T[]) => Promise<readonly R[]>;

/** An item of one caller. */
interface Unit {
  readonly store: Store<unknown, unknown>;
  readonly item: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets concurrent units of work share a transaction: its begin, its commit and its audit rows cost the same for one
 * unit as for many. Units of the same kind also share their statements. For background work only: units wait for earlier
 * ones, but not for rows that others have locked.
 */
@Injectable()
export class SharedUnits {
  private readonly together = new Batches<Unit>(MAX_TOGETHER, (units) => this.commit(units));

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Creates a kind of unit. `store` runs under the rules of a unit of work, with the items of all callers. If that
   * fails, it runs again, separately for each item.
   *
   * @returns stores an item; rejects with its own error if it fails: nothing of it is stored then, and other items are
   * not affected
   */
  of<T, R>(store: Store<T, R>): (item: T) => Promise<R> {
    return (item) =>
      new Promise((resolve, reject) => {
        const unit = { store, item, resolve, reject } as Unit;
        this.together.add(unit).catch(reject);
      });
  }

  private async commit(units: readonly Unit[]): Promise<void> {
    const kinds = new Map<Unit['store'], Unit[]>();
    for (const unit of units) getOrCreate(kinds, unit.store, () => []).push(unit);
    const results = new Map<Unit, unknown>();
    const all = async (): Promise<void> => {
      for (const [store, some] of kinds) {
        const stored = await store(some.map(({ item }) => item));
        for (const [i, unit] of some.entries()) results.set(unit, stored[i]);
      }
    };
    if (units.length > 1 && (await this.unitOfWork.runOnce(all))) {
      for (const unit of units) unit.resolve(results.get(unit));
      return;
    }
    const alone = units.map(({ store, item, resolve, reject }) =>
      this.unitOfWork.run(() => store([item])).then(([result]) => resolve(result), reject),
    );
    await settledOrLate(Promise.all(alone), PATIENCE_MS);
  }
}
