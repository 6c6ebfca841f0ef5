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
  lookup?: Lookup;
  tls?: ConnectionOptions;
}

export function outboundGuard({ production = true, allow }: OutboundSettings = {}): OutboundGuard {
  const allowance = allow === undefined ? { hosts: [], ranges: [] } : parseOutboundAllow(allow);
  return new OutboundGuard(
    new ConfigService<AppConfig, true>({ production, outbound: { allow: allowance } }),
  );
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
