import type { ConnectionOptions } from 'node:tls';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../src/config/app-config';
import { parseOutboundAllow } from '../../src/config/outbound-allow';
import type { Lookup } from '../../src/outbound/lookup';
import { OutboundConnector } from '../../src/outbound/outbound-connector';
import { OutboundGuard } from '../../src/outbound/outbound-guard';
import { OutboundHttp } from '../../src/outbound/outbound-http';
import { systemLookup } from '../../src/outbound/system-lookup';

export interface OutboundSettings {
  production?: boolean;
  /** In the form of `OUTBOUND_ALLOW`. */
  allow?: string;
  /** In the form of `OUTBOUND_PLAIN_HTTP`. */
  plainHttp?: boolean;
  lookup?: Lookup;
  tls?: ConnectionOptions;
}

export function outboundGuard({
  production = true,
  allow,
  plainHttp = false,
}: OutboundSettings = {}): OutboundGuard {
  const outbound = { allow: allow === undefined ? [] : parseOutboundAllow(allow), plainHttp };
  return new OutboundGuard(new ConfigService<AppConfig, true>({ production, outbound }));
}

/** The HTTP client for outgoing calls as in production, except for the parts that a test replaces. */
export function outboundHttp(settings: OutboundSettings = {}): OutboundHttp {
  class TestConnector extends OutboundConnector {
    protected override tlsOptions(): ConnectionOptions {
      return settings.tls ?? {};
    }
  }
  return new OutboundHttp(new TestConnector(outboundGuard(settings), settings.lookup ?? systemLookup()));
}
