import { Secret } from '../common/secrets/secret';
import type { SecretCipher } from '../common/secrets/secret-cipher';
import { RELAYER_RPC_URLS } from './relayer.entity';

/** An RPC endpoint of a relayer's own; `weight` is its share of the calls, 0 to 100. */
export interface RpcUrl {
  url: string;
  weight: number;
}

/** Encrypts the list for the row of a relayer: URLs carry provider keys. */
export function sealRpcUrls(cipher: SecretCipher, relayerId: string, urls: RpcUrl[]): string {
  return cipher.seal(new Secret(JSON.stringify(urls)), { ...RELAYER_RPC_URLS, row: relayerId });
}

/** @throws SecretUnreadableError */
export function openRpcUrls(cipher: SecretCipher, relayerId: string, sealed: string): RpcUrl[] {
  return JSON.parse(cipher.open(sealed, { ...RELAYER_RPC_URLS, row: relayerId }).reveal()) as RpcUrl[];
}
