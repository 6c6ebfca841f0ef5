import { isIP } from 'node:net';
import type { Request } from 'express';

/** An IPv6 address in brackets, or an IPv4 address, and possibly a port. */
const REPORTED = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address of the client; behind a trusted proxy the one that it reports. Some, such as Azure Application Gateway, report the port
 * of the client's connection with it: that would be another client for each connection.
 */
export function clientAddressOf({ ip }: Pick<Request, 'ip'>): string | undefined {
  const [, v6, v4] = REPORTED.exec(ip ?? '') ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === 0 ? ip : address;
}
