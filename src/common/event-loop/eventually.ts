import { types } from 'node:util';

/** A value, or a promise of one. */
export type Eventually<T> = T | Promise<T>;

/** Uses a value synchronously if it is not a promise: an unnecessary promise costs every request about 1 µs. */
export const whenThere = <T, R>(value: Eventually<T>, use: (value: T) => R): Eventually<R> =>
  types.isPromise(value) ? value.then(use) : use(value);
