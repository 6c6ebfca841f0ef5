import { validateSync } from 'class-validator';
import { plainToInstance } from 'class-transformer';
import { listFaults } from '../common/validation/validation-faults';
import { BUILT_IN_FIELDS, BUILT_IN_NETWORKS } from './built-in-networks';
import { NetworkFieldsDto } from './dto/network-fields.dto';

const networks = [...BUILT_IN_NETWORKS.values()];

describe('The built-in networks', () => {
  it.each([
    ['evm:mainnet', '1'],
    ['evm:sepolia', '11155111'],
    ['evm:hoodi', '560048'],
    ['evm:holesky', '17000'],
    ['evm:polygon', '137'],
    ['evm:polygon-amoy', '80002'],
    ['evm:arbitrum-one', '42161'],
    ['evm:arbitrum-nova', '42170'],
    ['evm:arbitrum-sepolia', '421614'],
    ['evm:optimism', '10'],
    ['evm:optimism-sepolia', '11155420'],
    ['evm:base', '8453'],
    ['evm:base-sepolia', '84532'],
    ['evm:blast', '81457'],
    ['evm:blast-sepolia', '168587773'],
    ['evm:unichain', '130'],
    ['evm:unichain-sepolia', '1301'],
    ['evm:celo', '42220'],
    ['evm:celo-sepolia', '11142220'],
    ['evm:mantle', '5000'],
    ['evm:mantle-sepolia', '5003'],
    ['evm:bsc', '56'],
    ['evm:bsc-testnet', '97'],
    ['evm:avalanche', '43114'],
    ['evm:avalanche-fuji', '43113'],
    ['evm:gnosis', '100'],
    ['evm:gnosis-chiado', '10200'],
    ['evm:linea', '59144'],
    ['evm:linea-sepolia', '59141'],
    ['evm:scroll', '534352'],
    ['evm:scroll-sepolia', '534351'],
    ['evm:zksync-era', '324'],
    ['evm:zksync-era-sepolia', '300'],
    ['evm:localhost-anvil', '31337'],
  ])('include %s with chain id %s', (id, chainId) => {
    expect(BUILT_IN_NETWORKS.get(id)).toMatchObject({ id, networkType: 'evm', chainId });
  });

  it('share neither chain ids nor URLs', () => {
    const chainIds = networks.flatMap(({ chainId }) => chainId ?? []);
    const urls = networks.flatMap(({ rpcUrls, explorerUrls }) => [
      ...rpcUrls.map(({ url }) => url),
      ...explorerUrls,
    ]);
    expect(chainIds).toHaveLength(new Set(chainIds).size);
    expect(urls).toHaveLength(new Set(urls).size);
  });

  it('pass the validation of the API', () => {
    for (const fields of BUILT_IN_FIELDS.values()) {
      const dto = plainToInstance(NetworkFieldsDto, { ...fields, network: undefined, type: undefined });
      expect(listFaults(validateSync(dto))).toEqual([]);
    }
  });

  it('are complete', () => {
    for (const network of networks) {
      expect(network.symbol).not.toBeNull();
      expect(network.requiredConfirmations).toBeGreaterThan(0);
      expect(network.averageBlocktimeMs).toBeGreaterThan(0);
      expect(network.rpcUrls.length).toBeGreaterThan(0);
      expect(network.isTestnet).toBe(
        /sepolia|hoodi|holesky|amoy|fuji|chiado|testnet|devnet|anvil/.test(network.id),
      );
    }
  });

  it('use TLS for public endpoints', () => {
    for (const { id, rpcUrls } of networks) {
      const scheme = id === 'evm:localhost-anvil' ? 'http:' : 'https:';
      for (const { url } of rpcUrls) expect(new URL(url).protocol).toBe(scheme);
    }
  });

  it('inherit fields', () => {
    expect(BUILT_IN_NETWORKS.get('evm:base-sepolia')).toEqual({
      id: 'evm:base-sepolia',
      name: 'base-sepolia',
      networkType: 'evm',
      chainId: '84532',
      symbol: 'ETH',
      requiredConfirmations: 1,
      averageBlocktimeMs: 2000,
      isTestnet: true,
      features: ['eip1559'],
      tags: ['rollup', 'optimism-based'],
      explorerUrls: ['https://sepolia.basescan.org'],
      privateRpcUrls: [],
      privateFallbackBlocks: null,
      fees: null,
      rpcMethods: null,
      rpcUrls: [
        { url: 'https://sepolia.base.org', weight: 100 },
        { url: 'https://base-sepolia-rpc.publicnode.com', weight: 100 },
      ],
      passphrase: null,
      horizonUrl: null,
    });
  });
});
