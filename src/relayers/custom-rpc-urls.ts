import type { SecretCipher } from '../secrets/secret-cipher';
import { openRpcUrls, type RpcUrl, sealRpcUrls } from '../networks/rpc-urls';
import { RELAYER_RPC_URLS, type RelayerEntity } from './relayer.entity';

/**
 * Encrypts a relayer's own RPC endpoints.
 *
 * @throws DomainError `invalid_request` for a list that is too long for its column
 */
export function sealCustomRpcUrls(cipher: SecretCipher, relayerId: string, urls: RpcUrl[]): string {
  return sealRpcUrls(cipher, { ...RELAYER_RPC_URLS, row: relayerId }, urls);
}

/** Decrypts a relayer's own RPC endpoints; undefined if it uses those of its network. @throws SecretUnreadableError */
export function openCustomRpcUrls(
  cipher: SecretCipher,
  { id, customRpcUrls }: Pick<RelayerEntity, 'id' | 'customRpcUrls'>,
): RpcUrl[] | undefined {
  return customRpcUrls === null
    ? undefined
    : openRpcUrls(cipher, { ...RELAYER_RPC_URLS, row: id }, customRpcUrls);
}
