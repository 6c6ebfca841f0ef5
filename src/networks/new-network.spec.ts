import type { RpcUrlDto } from './dto/rpc-url.dto';
import type { NetworkEntity } from './network.entity';
import { isBare, toNewNetwork } from './new-network';

const BARE: Pick<NetworkEntity, keyof NetworkEntity> = {
  id: 'evm:x',
  name: 'x',
  networkType: 'evm',
  chainId: null,
  symbol: null,
  requiredConfirmations: null,
  averageBlocktimeMs: null,
  isTestnet: null,
  features: [],
  tags: [],
  explorerUrls: [],
  rpcUrls: null,
  privateRpcUrls: null,
  privateFallbackBlocks: null,
  fees: null,
  rpcMethods: null,
  passphrase: null,
  horizonUrl: null,
  mac: null,
  createdBy: null,
  createdAt: new Date(0),
};

describe('toNewNetwork', () => {
  it.each([
    ['evm', {}, 'chain_id is required for networks of type evm'],
    ['evm', { chain_id: null }, 'chain_id is required for networks of type evm'],
    ['solana', { chain_id: 1 }, 'chain_id must not be given for networks of type solana'],
    ['stellar', { chain_id: 1 }, 'chain_id must not be given for networks of type stellar'],
    ['evm', { chain_id: 1, passphrase: 'p' }, 'passphrase must not be given for networks of type evm'],
    [
      'solana',
      { private_rpc_urls: [{ url: 'https://p.example' }] as RpcUrlDto[] },
      'private_rpc_urls must not be given for networks of type solana',
    ],
    [
      'stellar',
      { private_fallback_blocks: 1 },
      'private_fallback_blocks must not be given for networks of type stellar',
    ],
    ['solana', { fees: { legacy: true } }, 'fees must not be given for networks of type solana'],
    [
      'solana',
      { horizon_url: 'https://h.example' },
      'horizon_url must not be given for networks of type solana',
    ],
  ] as const)('refuses %s with %j', (type, fields, detail) => {
    expect(() => toNewNetwork(type, 'x', fields)).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail }),
    );
  });

  it('leaves unknown fields null or empty', () => {
    const { createdAt, createdBy, mac, ...bare } = { ...BARE, id: 'stellar:x', networkType: 'stellar' };
    expect([createdAt, createdBy]).toEqual([new Date(0), null]);
    expect(mac).toBeNull();
    expect(toNewNetwork('stellar', 'x', { symbol: null })).toEqual({
      ...bare,
      rpcUrls: [],
      privateRpcUrls: [],
    });
  });
});

describe('isBare', () => {
  it('returns true for a network of which only the name is known', () => {
    expect(isBare(BARE)).toBe(true);
  });

  it.each([
    { chainId: '1' },
    { symbol: 'X' },
    { requiredConfirmations: 0 },
    { averageBlocktimeMs: 1 },
    { isTestnet: false },
    { features: ['x'] },
    { tags: ['x'] },
    { explorerUrls: ['x'] },
    { rpcUrls: 'v1' },
    { privateRpcUrls: 'v1' },
    { privateFallbackBlocks: 1 },
    { fees: { legacy: true } },
    { rpcMethods: ['read'] },
    { passphrase: 'p' },
    { horizonUrl: 'h' },
  ])('returns false for a network with %j', (known) => {
    expect(isBare({ ...BARE, ...known })).toBe(false);
  });
});
