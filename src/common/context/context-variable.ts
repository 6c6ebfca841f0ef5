import { AsyncLocalStorage } from 'node:async_hooks';

type Values = ReadonlyMap<ContextVariable<unknown>, unknown>;

/**
 * A single storage for all variables: before Node 24 each storage adds a cost to every promise, even if it holds no
 * value.
 */
const storage = new AsyncLocalStorage<Values>();

/** A value that follows a call through its promises, timers and callbacks. */
export class ContextVariable<T> {
  /** The value of the call in progress; undefined outside of `run`. */
  get(): T | undefined {
    return storage.getStore()?.get(this) as T | undefined;
  }

  /** Calls `work` with this value and returns its result. Other variables keep their values. */
  run<R>(value: T, work: () => R): R {
    return storage.run(new Map(storage.getStore()).set(this, value), work);
  }
}
