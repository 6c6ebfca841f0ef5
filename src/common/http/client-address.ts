import { isIP } from 'node:net';
import type { Request } from 'express';

/** An IPv6 address in brackets, or an IPv4 address, with an optional port. */
const REPORTED = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address of the client; behind a trusted proxy, the address that the proxy reports. Some proxies, such as Azure
 * Application Gateway, add the port of the client's connection. It is removed, because otherwise each connection would
 * count as a different client.
 */
export function clientAddressOf({ ip }: Pick<Request, 'ip'>): string | undefined {
  const [, v6, v4] = REPORTED.exec(ip ?? '') ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === 0 ? ip : address;
}
