import type { AddressInfo } from 'node:net';

const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/**
 * The origin at which this machine can reach a server: the address on which it listens, or the loopback address if it
 * listens on all.
 */
export function localOrigin({ address, family, port }: AddressInfo): string {
  if (ALL_ADDRESSES.has(address)) return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
