import { isIP } from 'node:net';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { invalidRequest } from '../common/errors/domain-error';
import { type IpAddress, isInRange, parseIpAddress } from '../common/net/ip-address';
import { parseUrl } from '../common/net/parse-url';
import type { AppConfig, OutboundSettings } from '../config/app-config';
import { broadEntries, type OutboundAllowance } from '../config/outbound-allow';
import { withEmbedded, isMetadataAddress, isMetadataName, kindOf } from './address-kinds';
import type { Destination, DestinationPurpose } from './destination';
import { destinationOf } from './outbound-target';

const NOT_ALLOWED = 'leads to an address that is not allowed';
const MUST_USE_HTTPS = 'must use https';
/** Why a public address is not called without TLS. The error text puts it after the name of a field. */
export const NO_PLAIN_HTTP = `${MUST_USE_HTTPS}: plain http is for private addresses, unless OUTBOUND_PLAIN_HTTP is on`;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Decides where the service may connect to, by purpose, host, address and port. Cloud metadata services and addresses
 * that are not valid destinations are never allowed; private ones only outside production, or if `OUTBOUND_ALLOW` has a
 * matching entry. In production, public addresses require TLS.
 */
@Injectable()
export class OutboundGuard implements OnModuleInit {
  private readonly settings: OutboundSettings;
  private readonly production: boolean;

  constructor(config: ConfigService<AppConfig, true>) {
    this.settings = config.get('outbound', { infer: true });
    this.production = config.get('production', { infer: true });
  }

  onModuleInit(): void {
    const logger = new Logger(OutboundGuard.name);
    const positions = broadEntries(this.settings.allow);
    if (positions.length > 0)
      logger.warn('Entries of OUTBOUND_ALLOW without a purpose or port apply to all of them', { positions });
    if (this.production && this.settings.plainHttp)
      logger.warn('OUTBOUND_PLAIN_HTTP is on: calls to public addresses can be read and changed in transit');
  }

  /**
   * Why a URL can never be called as written (scheme, literal address, name of a metadata service); undefined if it may
   * be callable. Names are checked again when they are resolved.
   *
   * @returns the reason, to be put after the name of a field
   */
  refusalOf(url: string, purpose: DestinationPurpose): string | undefined {
    const parsed = parseUrl(url);
    if (!parsed) return 'is not a URL';
    const destination = destinationOf(parsed, purpose);
    return destination ? this.refusalOfHost(destination) : 'is not an http or https URL';
  }

  /** @throws DomainError `invalid_request` that names the field, if {@link refusalOf} gives a reason */
  assertCallable(url: string, field: string, purpose: DestinationPurpose): void {
    const refusal = this.refusalOf(url, purpose);
    if (refusal !== undefined) throw invalidRequest(`${field} ${refusal}`);
  }

  /**
   * Like {@link refusalOf}, for the URL of a key service that must be on one of its vendor's domains. It may be
   * elsewhere outside production, or if `OUTBOUND_ALLOW` contains its host.
   *
   * @param domains in lower case; the host must be one label below one of them
   */
  refusalOutside(domains: readonly string[], url: string): string | undefined {
    const refusal = this.refusalOf(url, 'key-service');
    const parsed = parseUrl(url);
    const to = parsed && destinationOf(parsed, 'key-service');
    if (refusal !== undefined || !to || !this.production) return refusal;
    const domain = plainName(to.hostname).replace(/^[a-z0-9-]+\./, '');
    return domains.includes(domain) || this.isNamed(to)
      ? undefined
      : `must be on ${domains.join(', ')}, unless OUTBOUND_ALLOW names its host`;
  }

  /** @param to the host name must be normalised by the URL parser */
  refusalOfHost(to: Destination): string | undefined {
    if (isIP(to.hostname) !== 0) return this.refusalOfAddress(to.hostname, to);
    const name = plainName(to.hostname);
    if (name === '' || (isMetadataName(name) && to.purpose !== 'machine-identity')) return NOT_ALLOWED;
    const isLocal = name === 'localhost' || name.endsWith('.localhost');
    if (isLocal && LOOPBACK.every((address) => this.refusalOfAddress(address, to) !== undefined))
      return NOT_ALLOWED;
    // A name that may resolve to a private address is checked when it is resolved.
    const mayBePrivate = this.entriesFor(to).some(
      ({ target }) => typeof target !== 'string' || target === name,
    );
    return mayBePrivate ? undefined : this.refusalOfPlainHttp(to);
  }

  /** Checks one of the addresses that the host of a destination resolved to. */
  refusalOfAddress(text: string, to: Destination): string | undefined {
    const address = parseIpAddress(text);
    if (!address) return NOT_ALLOWED;
    const forms = withEmbedded(address);
    if (to.purpose === 'machine-identity')
      return forms.every((form) => kindOf(form) === 'private' || isMetadataAddress(form))
        ? undefined
        : NOT_ALLOWED;
    const kinds = forms.map(kindOf);
    if (kinds.includes('never')) return NOT_ALLOWED;
    if (!kinds.includes('private')) return this.refusalOfPlainHttp(to);
    return !this.production || this.isNamed(to) || this.isInAllowedRange(forms, to) ? undefined : NOT_ALLOWED;
  }

  private refusalOfPlainHttp({ secure, purpose }: Destination): string | undefined {
    if (secure || !this.production || purpose === 'machine-identity') return undefined;
    if (purpose === 'key-service') return MUST_USE_HTTPS;
    return this.settings.plainHttp ? undefined : NO_PLAIN_HTTP;
  }

  /** Whether `OUTBOUND_ALLOW` contains the host of a destination itself: its name or literal address. */
  private isNamed(to: Destination): boolean {
    const literal = parseIpAddress(to.hostname);
    if (literal) return this.isInAllowedRange(withEmbedded(literal), to);
    const name = plainName(to.hostname);
    return this.entriesFor(to).some(({ target }) => target === name);
  }

  private isInAllowedRange(forms: readonly IpAddress[], to: Destination): boolean {
    return this.entriesFor(to).some(
      ({ target }) => typeof target !== 'string' && forms.some((form) => isInRange(form, target)),
    );
  }

  private entriesFor({ purpose, port }: Destination): OutboundAllowance[] {
    return this.settings.allow.filter(
      (entry) => (entry.purpose ?? purpose) === purpose && (entry.port ?? port) === port,
    );
  }
}

function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, '');
}
