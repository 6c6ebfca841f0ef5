import { randomBytes } from 'node:crypto';
import { Secret } from '../common/secrets/secret';
import { SecretCipher, SecretUnreadableError } from '../secrets/secret-cipher';
import type { OutboundGuard } from '../outbound/outbound-guard';
import { assertCallableRpcUrls, openRpcUrls, sealRpcUrls } from './rpc-urls';

const cipher = new SecretCipher(
  [new Secret(randomBytes(32).toString('base64'))],
  [
    { table: 'networks', column: 'rpc_urls' },
    { table: 'relayers', column: 'custom_rpc_urls' },
  ],
);
const PLACE = { table: 'networks', column: 'rpc_urls', row: 'evm:x' };
const URLS = [{ url: 'https://rpc.example.com/k3y', weight: 7 }];

describe('RPC URLs at rest', () => {
  it('can be decrypted only for the row and column they were encrypted for', () => {
    const sealed = sealRpcUrls(cipher, PLACE, URLS);
    expect(sealed).not.toContain('k3y');
    expect(openRpcUrls(cipher, PLACE, sealed)).toEqual(URLS);
    expect(() => openRpcUrls(cipher, { ...PLACE, row: 'evm:y' }, sealed)).toThrow(SecretUnreadableError);
    expect(() => openRpcUrls(cipher, { ...PLACE, table: 'relayers' }, sealed)).toThrow(SecretUnreadableError);
  });

  it('fit their column or are refused', () => {
    const longest = { url: `https://x.example/${'x'.repeat(2030)}`, weight: 100 };
    const wide = { url: `https://x.example/${'語'.repeat(2030)}`, weight: 100 };
    expect(sealRpcUrls(cipher, PLACE, Array<typeof wide>(16).fill(longest)).length).toBeLessThan(65_536);
    expect(() => sealRpcUrls(cipher, PLACE, Array<typeof wide>(16).fill(wide))).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail: 'rpc_urls is too long as a whole' }),
    );
  });
});

describe('assertCallableRpcUrls', () => {
  const guard = { assertCallable: () => undefined } as unknown as OutboundGuard;

  it('refuses a masked URL, which would replace the whole one', () => {
    const urls = [...URLS, { url: 'https://rpc.example.com/***' }];
    expect(() => {
      assertCallableRpcUrls(guard, 'rpc_urls', urls);
    }).toThrow(
      expect.objectContaining({
        detail: 'rpc_urls[1].url is masked, as in responses: send the whole URL',
      }) as Error,
    );
    expect(() => {
      assertCallableRpcUrls(guard, 'rpc_urls', URLS);
    }).not.toThrow();
  });
});
