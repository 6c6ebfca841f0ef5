/** Sets an entry of a bounded map as its newest one, and drops the oldest entry if there are more than `max`. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > max && !oldest.done) map.delete(oldest.value);
}

/**
 * Returns the value of a key, and creates it if it is missing. Beyond the maximum, the least recently used value is
 * evicted.
 */
export function recall<T>(map: Map<string, T>, key: string, max: number, create: () => T): T {
  const value = map.get(key) ?? create();
  setNewest(map, key, value, max);
  return value;
}
