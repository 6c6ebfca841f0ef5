import type { RpcUrl } from '../../../networks/rpc-urls';
import type { EvmPolicies } from '../evm-policies.dto';

/** The RPC endpoints of a relayer; undefined if it uses those of its network. */
type Endpoints = readonly RpcUrl[] | undefined;

/**
 * Whether a change of a relayer's own RPC endpoints loosens its spending limits: they count what the endpoints report,
 * which may be wrong, so other endpoints may let the relayer spend more. If there are several, most of them decide;
 * therefore fewer endpoints loosen as well. Their order and their weights decide nothing, except that an endpoint with
 * the weight 0 is not used.
 *
 * @param before the policies before the change: the same change may set the first limits without loosening anything
 */
export function loosensEndpoints(before: EvmPolicies, old: Endpoints, changed: Endpoints): boolean {
  if ((before.transactions?.spend_limits ?? []).length === 0) return false;
  const [oldUrls, urls] = [usedOf(old), usedOf(changed)];
  return oldUrls.length !== urls.length || urls.some((url, i) => url !== oldUrls[i]);
}

/** An empty text represents the endpoints of the network, which apply to an empty list too. */
const usedOf = (endpoints: Endpoints = []): string[] =>
  endpoints.length === 0
    ? ['']
    : endpoints
        .filter(({ weight }) => weight > 0)
        .map(({ url }) => url)
        .sort();
