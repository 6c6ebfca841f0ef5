import type { NetworkDefinitionDto } from './dto/network-definition.dto';
import type { NetworkFields } from './dto/network-fields.dto';
import { definitionsById, inheritedFields } from './network-inheritance';

const RESOLVED = new Map<string, NetworkFields>([
  ['evm:mainnet', { chain_id: 1, symbol: 'ETH', features: ['eip1559'], tags: ['base-layer'] }],
]);

function fieldsOf(name: string, definitions: Omit<NetworkDefinitionDto, 'type'>[]): NetworkFields {
  const own = definitionsById(definitions.map((definition) => ({ type: 'evm', ...definition })));
  return inheritedFields(own.get(`evm:${name}`)!, { definitions: own, resolved: RESOLVED });
}

describe('inheritedFields', () => {
  it('leaves a network that does not inherit unchanged', () => {
    expect(fieldsOf('a', [{ network: 'a', chain_id: 5 }])).toEqual({
      type: 'evm',
      network: 'a',
      chain_id: 5,
    });
  });

  it('merges features and tags and overrides the rest, over several generations', () => {
    const definitions = [
      { network: 'c', from: 'b', chain_id: 7, tags: ['rollup', 'test'], symbol: null },
      {
        network: 'b',
        from: 'mainnet',
        chain_id: 6,
        symbol: 'B',
        features: ['eip1559', 'blobs'],
        tags: ['rollup'],
      },
    ];
    expect(fieldsOf('c', definitions)).toMatchObject({
      chain_id: 7,
      symbol: 'B',
      features: ['eip1559', 'blobs'],
      tags: ['base-layer', 'rollup', 'test'],
    });
  });

  it('extends a built-in network of the same name', () => {
    expect(fieldsOf('mainnet', [{ network: 'mainnet', from: 'mainnet', symbol: 'X' }])).toMatchObject({
      chain_id: 1,
      symbol: 'X',
    });
  });

  it.each([
    [{}, [{ url: 'https://rpc.example' }]],
    [{ chain_id: 1 }, [{ url: 'https://rpc.example' }]],
    [{ chain_id: 2 }, []],
    [{ chain_id: 2, rpc_urls: [{ url: 'https://two.example' }] }, [{ url: 'https://two.example' }]],
  ])('inherits endpoints only within the same chain: %j', (fields, rpc_urls) => {
    const definitions = [
      { network: 'parent', chain_id: 1, rpc_urls: [{ url: 'https://rpc.example' }] },
      { network: 'child', from: 'parent', ...fields },
    ];
    expect(fieldsOf('child', definitions)).toMatchObject({ rpc_urls });
  });

  it('inherits private endpoints only within the same chain', () => {
    const private_rpc_urls = [{ url: 'https://private.example' }];
    const parent = { network: 'parent', chain_id: 1, private_rpc_urls };
    const fields = (chain_id: number) =>
      fieldsOf('child', [parent, { network: 'child', from: 'parent', chain_id }]).private_rpc_urls;
    expect(fields(1)).toEqual(private_rpc_urls);
    expect(fields(2)).toEqual([]);
  });

  it('prefers a definition from the same source', () => {
    const definitions = [
      { network: 'mainnet', chain_id: 99 },
      { network: 'a', from: 'mainnet' },
    ];
    expect(fieldsOf('a', definitions)).toMatchObject({ chain_id: 99 });
  });

  it.each([
    [
      'a',
      [{ network: 'a', from: 'nowhere' }],
      'from names the network nowhere of type evm, which does not exist',
    ],
    ['a', [{ network: 'a', from: 'a' }], 'from names the network a of type evm, which does not exist'],
    [
      'a',
      [
        { network: 'a', from: 'b' },
        { network: 'b', from: 'a' },
      ],
      'from leads back to network a',
    ],
    [
      'a',
      [
        { network: 'a', from: 'b' },
        { network: 'b', from: 'c' },
        { network: 'c', from: 'b' },
      ],
      'from leads back to network b',
    ],
  ])('refuses %s of %j', (name, definitions, detail) => {
    expect(() => fieldsOf(name, definitions)).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail }),
    );
  });
});
