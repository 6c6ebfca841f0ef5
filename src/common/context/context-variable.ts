import { AsyncLocalStorage } from 'node:async_hooks';

type Values = ReadonlyMap<ContextVariable<unknown>, unknown>;

/** One for all variables: before Node 24 each storage costs something at every promise, whether or not it holds a value. */
const storage = new AsyncLocalStorage<Values>();

/** A value that follows a call through whatever it awaits, schedules or is called back by. */
export class ContextVariable<T> {
  /** The value of the call in progress; undefined outside of `run`. */
  get(): T | undefined {
    return storage.getStore()?.get(this) as T | undefined;
  }

  /** Calls `work` with the value in force, and answers what it answers. Other variables keep theirs. */
  run<R>(value: T, work: () => R): R {
    return storage.run(new Map(storage.getStore()).set(this, value), work);
  }
}
