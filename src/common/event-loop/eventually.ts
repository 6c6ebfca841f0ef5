import { types } from 'node:util';

/** A value that is there already, or that will be. */
export type Eventually<T> = T | Promise<T>;

/** Uses a value at once where it is there: a promise that is not needed costs every request about 1 µs. */
export const whenThere = <T, R>(value: Eventually<T>, use: (value: T) => R): Eventually<R> =>
  types.isPromise(value) ? value.then(use) : use(value);
