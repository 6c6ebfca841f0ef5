import { isIP } from 'node:net';
import type { Express, Request } from 'express';

/** An IPv6 address in brackets, or an IPv4 address, with an optional port. */
const REPORTED = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Whether Express trusts the client address that an address reports. Hop 0 is the peer of the connection. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Sets the proxies that Express trusts. It would not recognize one whose port the next proxy reports too, and take it for
 * the client.
 *
 * @param trusted as Express' setting `trust proxy`
 */
export function trustProxies(application: Express, trusted: boolean | number | string[]): void {
  application.set('trust proxy', trusted);
  const trusts = application.get('trust proxy fn') as TrustProxy;
  application.set('trust proxy', (address: string, hop: number) => trusts(withoutPort(address), hop));
}

/**
 * The address of the client; behind a trusted proxy, the address that the proxy reports. Some proxies, such as Azure
 * Application Gateway, add the port of the client's connection. It is removed, because otherwise each connection would
 * count as a different client.
 */
export function clientAddressOf({ ip }: Pick<Request, 'ip'>): string | undefined {
  return ip === undefined ? undefined : withoutPort(ip);
}

function withoutPort(reported: string): string {
  const [, v6, v4] = REPORTED.exec(reported) ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === 0 ? reported : address;
}
