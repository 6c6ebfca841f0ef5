import { Secret } from '../common/secrets/secret';
import type { SecretCipher, SecretPlace } from '../common/secrets/secret-cipher';

/** An RPC endpoint of a relayer's own; `weight` is its share of the calls, 0 to 100. */
export interface RpcUrl {
  url: string;
  weight: number;
}

/** Encrypts the list for the row of a relayer: URLs carry provider keys. */
export function sealRpcUrls(cipher: SecretCipher, relayerId: string, urls: RpcUrl[]): string {
  return cipher.seal(new Secret(JSON.stringify(urls)), place(relayerId));
}

/** @throws SecretUnreadableError */
export function openRpcUrls(cipher: SecretCipher, relayerId: string, sealed: string): RpcUrl[] {
  return JSON.parse(cipher.open(sealed, place(relayerId)).reveal()) as RpcUrl[];
}

const place = (row: string): SecretPlace => ({ table: 'relayers', column: 'custom_rpc_urls', row });
