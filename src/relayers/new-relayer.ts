import type { NetworkType } from '../chains/network-type';
import type { RpcUrl } from '../networks/rpc-urls';
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
