import type { Logger } from '@nestjs/common';
import type { EndpointError } from '../chains/rpc/endpoint-error';
import type { EndpointState, RpcEndpoint } from '../chains/rpc/rpc-endpoint';
import { setNewest } from '../common/set-newest';

const HOUR_MS = 3_600_000;
/** Log lines in an hour about the `custom_rpc_urls` of the relayers of a network. @limit Calls to nodes */
const MAX_CUSTOM_LINES = 100;
const MAX_NETWORKS = 1_000;

/**
 * Logs the changes of the states of endpoints. Those of endpoints that clients choose are limited, because a client can
 * choose others all the time.
 */
export class EndpointLog {
  /** The endpoints that are not used since a failure. */
  private readonly failed = new WeakSet<RpcEndpoint>();
  /** The lines about `custom_rpc_urls`, by network. */
  private readonly customLines = new Map<string, { count: number; until: number }>();

  constructor(private readonly logger: Pick<Logger, 'log' | 'warn' | 'error'>) {}

  /**
   * @param isCustom whether a client has chosen the endpoint
   * @param cause of any state but `ready`
   */
  add(
    network: string,
    isCustom: boolean,
    endpoint: RpcEndpoint,
    state: EndpointState,
    cause: EndpointError | undefined,
  ): void {
    const hadFailed = this.failed.delete(endpoint);
    if (state !== 'ready') this.failed.add(endpoint);
    if (isCustom && !this.hasRoom(network)) return;
    const fields = { network, endpoint: endpoint.place };
    if (state === 'ready')
      this.logger.log(hadFailed ? 'RPC endpoint is in use again' : 'RPC endpoint is in use', fields);
    else if (state === 'wrong_chain')
      this.logger.error('RPC endpoint serves another chain and is not used', {
        ...fields,
        cause: cause?.message,
      });
    else
      this.logger.warn('RPC endpoint failed and is not used for a while', {
        ...fields,
        failure: cause?.failure,
        cause: cause?.message,
      });
  }

  private hasRoom(network: string): boolean {
    const now = performance.now();
    const previous = this.customLines.get(network);
    const lines = previous && now < previous.until ? previous : { count: 0, until: now + HOUR_MS };
    setNewest(this.customLines, network, lines, MAX_NETWORKS);
    lines.count += 1;
    if (lines.count === MAX_CUSTOM_LINES + 1)
      this.logger.warn('Further changes of custom_rpc_urls of relayers are not logged for up to an hour', {
        network,
      });
    return lines.count <= MAX_CUSTOM_LINES;
  }
}
