import { parseUrl } from '../common/net/parse-url';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { invalidRequest } from '../common/errors/domain-error';
import { type IpAddress, isInRange, parseIpAddress } from '../common/net/ip-address';
import type { AppConfig } from '../config/app-config';
import type { OutboundAllowance } from '../config/outbound-allow';
import { facesOf, isMetadataName, kindOf } from './address-kinds';

const NOT_ALLOWED = 'leads to an address that is not allowed';
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Decides where the service may connect to. Cloud metadata and addresses that are no destination are never allowed;
 * private ones are, outside production or where `OUTBOUND_ALLOW` names the host or the address.
 */
@Injectable()
export class OutboundGuard {
  private readonly allow: OutboundAllowance;
  private readonly production: boolean;

  constructor(config: ConfigService<AppConfig, true>) {
    this.allow = config.get('outbound', { infer: true }).allow;
    this.production = config.get('production', { infer: true });
  }

  /**
   * Why a URL can never be called as it is written (scheme, literal address, name of a metadata service), undefined
   * where it may be: names are judged again when they are resolved.
   *
   * @returns words that follow the name of a field
   */
  refusalOf(url: string): string | undefined {
    const parsed = parseUrl(url);
    if (!parsed) return 'is not a URL';
    const { protocol, hostname } = parsed;
    if (protocol !== 'http:' && protocol !== 'https:') return 'is not an http or https URL';
    return this.refusalOfHost(hostname);
  }

  /** @throws DomainError `invalid_request` that names the field, where {@link refusalOf} tells a reason */
  requireCallable(url: string, field: string): void {
    const refusal = this.refusalOf(url);
    if (refusal !== undefined) throw invalidRequest(`${field} ${refusal}`);
  }

  /** @param hostname as the URL parser spells it */
  refusalOfHost(hostname: string): string | undefined {
    const literal = literalAddress(hostname);
    if (literal !== undefined) return this.refusalOfAddress(literal, hostname);
    const name = plainName(hostname);
    if (name === '' || isMetadataName(name)) return NOT_ALLOWED;
    const isLocal = name === 'localhost' || name.endsWith('.localhost');
    return isLocal && LOOPBACK.every((address) => this.refusalOfAddress(address, name) !== undefined)
      ? NOT_ALLOWED
      : undefined;
  }

  /** Judges an address that a host was resolved to. */
  refusalOfAddress(text: string, hostname: string): string | undefined {
    const address = parseIpAddress(text);
    if (!address) return NOT_ALLOWED;
    const allowedByName = this.allow.hosts.includes(plainName(hostname));
    const faces = facesOf(address);
    const mayBePrivate = !this.production || allowedByName || faces.some((face) => this.isAllowed(face));
    return faces.every((face) => kindOf(face) === 'public' || (kindOf(face) === 'private' && mayBePrivate))
      ? undefined
      : NOT_ALLOWED;
  }

  private isAllowed(address: IpAddress): boolean {
    return this.allow.ranges.some((range) => isInRange(address, range));
  }
}

/** The address that a host of a URL is, without brackets; undefined where it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return parseIpAddress(text) ? text : undefined;
}

function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, '');
}
