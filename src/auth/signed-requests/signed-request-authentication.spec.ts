import crypto from 'node:crypto';
import type { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import { RequestSigner } from '../../../test/support/signed-requests';
import { ROOT } from '../../access/principal';
import type { AppConfig } from '../../config/app-config';
import type { ApiKeyAuthentication } from '../api-keys/api-key-authentication';
import type { ApiKeyEntity } from '../api-keys/api-key.entity';
import type { ApiKeyLookup, FoundApiKey } from '../api-keys/api-key-lookup';
import { SignedRequestAuthentication } from './signed-request-authentication';
import type { UsedNonces } from './used-nonces';

const ORIGIN = 'https://relayer.example.com';
const PATH = '/api/v1/relayers';

describe('SignedRequestAuthentication', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /**
   * The result of a request with a wrong signature, and the digest algorithms of the signatures that were verified for
   * it.
   */
  const refusalOf = async (found: FoundApiKey): Promise<unknown[]> => {
    const verify = jest.spyOn(crypto, 'verify');
    const authentication = new SignedRequestAuthentication(
      { find: () => Promise.resolve(found) } as unknown as ApiKeyLookup,
      {} as ApiKeyAuthentication,
      {} as UsedNonces,
      { get: () => ({ publicOrigin: ORIGIN }) } as unknown as ConfigService<AppConfig, true>,
    );
    const { headers } = await new RequestSigner().sign(ORIGIN, 'key', { path: PATH });
    const request = { method: 'GET', originalUrl: PATH, headers } as unknown as Request;
    const { found: cause } = await authentication.identify(request);
    return [cause, verify.mock.calls.map(([digest]) => digest ?? 'ed25519').sort()];
  };
  const keyOf = (publicKey: string | null) => ({ publicKey }) as ApiKeyEntity;

  it.each<[string, FoundApiKey, string]>([
    ['another key', keyOf(new RequestSigner().pem), 'bad_signature'],
    ['a key of another algorithm', keyOf(new RequestSigner('ecdsa-p256-sha256').pem), 'bad_signature'],
    ['a key with a secret', keyOf(null), 'bad_signature'],
    ['an unknown key', 'unknown_key', 'unknown_key'],
    ['an altered key', 'altered', 'altered'],
  ])(
    'verifies a signature with each algorithm for %s, to hide from timing which ids exist',
    async (_, found, cause) => {
      expect(await refusalOf(found)).toEqual([cause, ['ed25519', 'sha256']]);
    },
  );

  it('uses the nonce of an identified request once, and none of any other', async () => {
    const signer = new RequestSigner();
    const used: string[] = [];
    const authentication = new SignedRequestAuthentication(
      { find: () => Promise.resolve(keyOf(signer.pem)) } as unknown as ApiKeyLookup,
      { admit: () => ROOT } as unknown as ApiKeyAuthentication,
      { use: (keyId: string) => Promise.resolve(used.push(keyId) > 0) } as unknown as UsedNonces,
      { get: () => ({ publicOrigin: ORIGIN }) } as unknown as ConfigService<AppConfig, true>,
    );
    const { headers } = await signer.sign(ORIGIN, 'key', { path: PATH });
    const request = { method: 'GET', originalUrl: PATH, headers } as unknown as Request;
    expect(await authentication.useNonce(request)).toBe(false);
    expect((await authentication.identify(request)).found).toBe(ROOT);
    expect(used).toEqual([]);
    expect([await authentication.useNonce(request), await authentication.useNonce(request)]).toEqual([
      true,
      false,
    ]);
    expect(used).toEqual(['key']);
  });
});
