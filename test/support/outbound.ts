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
  /** As in `OUTBOUND_ALLOW`. */
  allow?: string;
  /** As `OUTBOUND_PLAIN_HTTP`. */
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

/** The way out as production has it, with what a test puts in the place of its surroundings. */
export function outboundHttp(settings: OutboundSettings = {}): OutboundHttp {
  class TestConnector extends OutboundConnector {
    protected override tlsOptions(): ConnectionOptions {
      return settings.tls ?? {};
    }
  }
  return new OutboundHttp(new TestConnector(outboundGuard(settings), settings.lookup ?? systemLookup()));
}
