import type { NetworkType } from '../chains/network-type';
import { withWeights } from '../networks/dto/rpc-url.dto';
import type { RpcUrl } from '../networks/rpc-urls';
import type { CreateRelayerDto } from './dto/create-relayer.dto';
import type { Policies } from './policies/policies';

/** A relayer to create; its network, signer and notification must exist. */
export interface NewRelayer {
  id: string;
  name: string;
  group: string | null;
  network: string;
  networkType: NetworkType;
  address: string;
  signerId: string;
  notificationId: string | null;
  paused: boolean;
  customRpcUrls: RpcUrl[] | null;
  /** The policies in their stored form. */
  policies: Policies;
}

/** What a request or a configuration file says of a relayer, apart from its policies. */
type Wanted = Omit<CreateRelayerDto, 'id' | 'policies'>;

export const toNewRelayer = (
  wanted: Wanted,
  rest: Pick<NewRelayer, 'id' | 'address' | 'policies'>,
): NewRelayer => ({
  ...rest,
  name: wanted.name,
  group: wanted.group ?? null,
  network: wanted.network,
  networkType: wanted.network_type,
  signerId: wanted.signer_id,
  notificationId: wanted.notification_id ?? null,
  paused: wanted.paused,
  customRpcUrls: wanted.custom_rpc_urls ? withWeights(wanted.custom_rpc_urls) : null,
});
