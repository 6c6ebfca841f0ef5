import type { ApprovalKind } from '../config/approvals-format';
import type { RpcUrl } from '../networks/rpc-urls';
import type { EvmPolicies } from './policies/evm-policies.dto';
import { loosensEndpoints } from './policies/loosening/endpoints';
import { SIGNING_POLICIES } from './policies/restriction';
import { loosens } from './policies/loosening/loosens';
import type { RelayerEntity } from './relayer.entity';

type Before = Pick<RelayerEntity, 'networkType' | 'policies' | 'paused' | 'group'>;

/** The RPC endpoints of a relayer before and after a change of them; undefined for those of its network. */
export interface EndpointsChange {
  before: readonly RpcUrl[] | undefined;
  after: readonly RpcUrl[] | undefined;
}

/**
 * Why a change of a relayer may require approval. Nothing is signed for relayers on networks that are not EVM, so no
 * change to their policies or endpoints loosens anything.
 *
 * @param endpoints undefined if the change does not concern them
 */
export function approvalKindsOf(
  before: Before,
  changes: Partial<RelayerEntity>,
  endpoints?: EndpointsChange,
): ApprovalKind[] {
  const kinds: ApprovalKind[] = [];
  const policies = policiesOf(before);
  const isLoosened = changes.policies !== undefined && loosens(policies, changes.policies);
  const isElsewhere = endpoints && loosensEndpoints(policies, endpoints.before, endpoints.after);
  if (before.networkType === 'evm' && (isLoosened || isElsewhere)) kinds.push('loosen_policy');
  if (changes.paused === false && before.paused) kinds.push('unpause');
  if (isMovedInto(changes.group, before.group)) kinds.push('api_key_scope');
  return kinds;
}

/**
 * What would require approval if the deletion of a relayer was a change that ends its pause and removes its policies for
 * forms of signature. To other relayers with its address it is, see `authorizeOnOtherChains`.
 */
export function approvalKindsOfDeletion(before: Before): ApprovalKind[] {
  const restricting = SIGNING_POLICIES.filter((name) => before.policies[name] !== undefined);
  const policies = Object.fromEntries(restricting.map((name) => [name, before.policies[name]]));
  return approvalKindsOf({ ...before, policies }, { policies: {}, paused: false });
}

/**
 * A new relayer always requires approval, whatever its policies and even if it is paused, because its account can then
 * sign. It may take the place of one that was deleted, so it also requires what a change into its state would: deleting
 * relayers needs no approval.
 *
 * @param isNamed whether API keys reach the relayer because they name its id
 */
export function approvalKindsOfNew(
  { group, paused }: Pick<RelayerEntity, 'group' | 'paused'>,
  isNamed: boolean,
): ApprovalKind[] {
  const kinds: ApprovalKind[] = ['loosen_policy'];
  if (!paused) kinds.push('unpause');
  if (isNamed || isMovedInto(group, null)) kinds.push('api_key_scope');
  return kinds;
}

const policiesOf = ({ policies }: Before): EvmPolicies => policies;

/** If a relayer is added to a group, the API keys that reach the group can reach more. */
const isMovedInto = (group: string | null | undefined, before: string | null): boolean =>
  group !== undefined && group !== null && group !== before;
