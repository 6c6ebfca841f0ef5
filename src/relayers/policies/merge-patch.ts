import { isObject } from '../../common/validation/json-object';

type JsonObject = Record<string, unknown>;

/** JSON merge patch (RFC 7396 §2): objects merge member by member, null removes, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const known = result.get(key);
    if (value === null) result.delete(key);
    else if (isObject(value)) result.set(key, mergePatch(isObject(known) ? known : {}, value));
    else result.set(key, value);
  }
  return Object.fromEntries(result);
}
