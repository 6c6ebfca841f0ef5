import { invalidRequest } from '../common/errors/domain-error';
import { Secret } from '../common/secrets/secret';
import { MASKED_PATH } from '../common/validation/http-url';
import type { SecretCipher, SecretPlace } from '../secrets/secret-cipher';
import type { OutboundGuard } from '../outbound/outbound-guard';

/** The size of a MySQL `text` column, in bytes. */
const MAX_SEALED_LENGTH = 65_535;

/** An RPC endpoint. `weight` is its share of the calls, from 0 to 100. */
export interface RpcUrl {
  url: string;
  weight: number;
}

/**
 * @throws DomainError `invalid_request` that names the first endpoint that may not be called, or whose URL is masked as in
 * responses: to store that would lose the URL
 */
export function assertCallableRpcUrls(
  guard: OutboundGuard,
  field: string,
  urls: readonly { url: string }[],
): void {
  for (const [position, { url }] of urls.entries()) {
    const place = `${field}[${position}].url`;
    if (url.endsWith(MASKED_PATH))
      throw invalidRequest(`${place} is masked, as in responses: send the whole URL`);
    guard.assertCallable(url, place, 'rpc');
  }
}

/**
 * Encrypts a list of endpoints for its row and column, because URLs may contain keys of providers.
 *
 * @throws DomainError `invalid_request` if the list is too long for the column
 */
export function sealRpcUrls(cipher: SecretCipher, place: SecretPlace, urls: RpcUrl[]): string {
  const sealed = cipher.seal(new Secret(JSON.stringify(urls)), place);
  if (sealed.length > MAX_SEALED_LENGTH) throw invalidRequest(`${place.column} is too long as a whole`);
  return sealed;
}

/** @throws SecretUnreadableError */
export function openRpcUrls(cipher: SecretCipher, place: SecretPlace, sealed: string): RpcUrl[] {
  return JSON.parse(cipher.open(sealed, place).reveal()) as RpcUrl[];
}
