import { broadEntries, parseOutboundAllow } from './outbound-allow';

const FD00 = { version: 6, base: 0xfdn << 120n, bits: 8 };
const TEN = { version: 4, base: 0x0a000000n, bits: 8 };

describe('parseOutboundAllow', () => {
  it.each([
    ['10.0.0.0/8', { target: TEN }],
    ['192.168.0.7', { target: { version: 4, base: 0xc0a80007n, bits: 32 } }],
    ['[fd00::]/8', { target: FD00 }],
    ['fd00::/8', { target: FD00 }],
    ['[fd00::/8]', { target: FD00 }],
    ['::1', { target: { version: 6, base: 1n, bits: 128 } }],
    ['[fd00::7]', { target: { version: 6, base: (0xfdn << 120n) | 7n, bits: 128 } }],
    ['Node.Internal.', { target: 'node.internal' }],
    ['rpc', { target: 'rpc' }],
    ['webhook', { target: 'webhook' }],
    ['rpc:10.0.0.0/8:8545', { purpose: 'rpc', target: TEN, port: 8545 }],
    ['RPC:10.0.0.0/8', { purpose: 'rpc', target: TEN }],
    ['10.0.0.0/8:8545', { target: TEN, port: 8545 }],
    ['webhook:hooks.internal:443', { purpose: 'webhook', target: 'hooks.internal', port: 443 }],
    ['node.internal:8545', { target: 'node.internal', port: 8545 }],
    ['rpc:rpc', { purpose: 'rpc', target: 'rpc' }],
    ['key-service:[fd00::/8]:8200', { purpose: 'key-service', target: FD00, port: 8200 }],
    ['key-service:[fd00::]/8:8200', { purpose: 'key-service', target: FD00, port: 8200 }],
    ['key-service:fd00::/8', { purpose: 'key-service', target: FD00 }],
  ])('reads %s', (text, entry) => {
    expect(parseOutboundAllow(text)).toEqual([entry]);
  });

  it.each([
    ...['', 'rpc:', 'rpc:8545', 'http://node.internal', 'node internal', 'node.internal:', 'node.internal:0'],
    ...[
      'node.internal:65536',
      'node.internal:a',
      'other:10.0.0.0/8:1',
      'machine-identity:10.0.0.1',
      'rpc:rpc:rpc',
    ],
    ...[
      '10.0.0.0/33',
      '10.1',
      '0x7f.1',
      'fd00::/8:8545',
      '[10.0.0.1]',
      '[10.0.0.0/8]',
      '[fd00::/129]',
      '[fd00::/8',
    ],
  ])('refuses %j, stating its position without quoting it', (entry) => {
    const parse = () => parseOutboundAllow(`10.0.0.0/8, ${entry} ,node.internal`);
    expect(parse).toThrow(
      new Error(
        'entry 2 must be a host name, an address or a CIDR range, after an optional purpose (rpc, webhook, key-service, audit) and a colon, ' +
          'before an optional colon and port (IPv6 in brackets then)',
      ),
    );
  });

  it('finds the entries that apply to every purpose or every port', () => {
    const allow = parseOutboundAllow('rpc:node:1, node, rpc:10.0.0.0/8, 10.0.0.0/8:80, webhook:[::1]:443');
    expect(broadEntries(allow)).toEqual([2, 3, 4]);
  });
});
