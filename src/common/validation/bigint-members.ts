import { isObject } from './json-object';

/** A request whose amounts, which JSON has as integers or texts, may also be bigints. */
export type WithBigints<T> = {
  [Name in keyof T]: string | number extends NonNullable<T[Name]> ? T[Name] | bigint : T[Name];
};

/** The request of a caller within the process with bigints among its members as decimal texts, as in JSON. */
export function bigintsAsTexts<T>(request: T): T {
  if (!isObject(request) || !Object.values(request).some((value) => typeof value === 'bigint'))
    return request;
  const entries = Object.entries(request).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
