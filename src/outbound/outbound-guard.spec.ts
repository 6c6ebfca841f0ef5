import { outboundGuard } from '../../test/support/outbound';
import type { Destination } from './destination';
const to = (hostname: string, changes: Partial<Destination> = {}): Destination => ({
  purpose: 'rpc',
  secure: true,
  hostname,
  port: 443,
  ...changes,
});
const NODE = to('node.example');
const HTTPS_ONLY = 'must use https: plain http is for private addresses, unless OUTBOUND_PLAIN_HTTP is on';

describe('OutboundGuard', () => {
  const strict = outboundGuard();
  const lenient = outboundGuard({ production: false });

  it.each([
    ['ftp://rpc.example.com', 'is not an http or https URL'],
    ['file:///etc/passwd', 'is not an http or https URL'],
    ['ws://rpc.example.com', 'is not an http or https URL'],
    ['gopher://127.0.0.1', 'is not an http or https URL'],
    ['data:text/plain,x', 'is not an http or https URL'],
    ['rpc.example.com', 'is not a URL'],
    ['//rpc.example.com', 'is not a URL'],
    ['http://[fe80::1%25eth0]', 'is not a URL'],
    ['http://[fe80::1%eth0]', 'is not a URL'],
    ['http://256.1.1.1', 'is not a URL'],
    ['http://1.2.3.4.5', 'is not a URL'],
    ['http://0x100000000', 'is not a URL'],
    ['http://[::1', 'is not a URL'],
    ['', 'is not a URL'],
  ])('explains why %s cannot be called', (url, reason) => {
    expect(lenient.refusalOf(url, 'rpc')).toBe(reason);
  });

  it('ignores the zone of an address', () => {
    expect(strict.refusalOfAddress('fe80::1%eth0', NODE)).toBeDefined();
    expect(lenient.refusalOfAddress('fe80::1%eth0', NODE)).toBeUndefined();
    expect(lenient.refusalOfAddress('fe80::a9fe:a9fe%eth0', NODE)).toBeDefined();
  });

  it.each(['', 'node', '1.2.3', '1.2.3.4/8'])('refuses a text that is not an address (%j)', (text) => {
    expect(lenient.refusalOfAddress(text, NODE)).toBeDefined();
  });

  describe('with OUTBOUND_ALLOW', () => {
    const guard = outboundGuard({ allow: '10.1.0.0/16, [fd12::]/16, 192.168.0.7, Node.Internal' });

    it.each([
      ['10.1.2.3', true],
      ['10.2.0.1', false],
      ['192.168.0.7', true],
      ['192.168.0.8', false],
      ['[fd12::1]', true],
      ['[fd13::1]', false],
      ['[::ffff:10.1.2.3]', true],
      ['[::ffff:10.2.2.3]', false],
      ['[64:ff9b::10.1.2.3]', true],
      ['localhost', false],
    ])('%s is allowed: %s', (host, allowed) => {
      expect(guard.refusalOf(`http://${host}`, 'rpc') === undefined).toBe(allowed);
    });

    it.each([
      ['node.internal', '172.16.0.1', true],
      ['NODE.internal.', '172.16.0.1', true],
      ['a.node.internal', '172.16.0.1', false],
      ['node.internal', '169.254.169.254', false],
      ['node.internal', '0.0.0.0', false],
      ['other.example', '10.1.0.1', true],
    ])('%s at %s is allowed: %s', (host, address, allowed) => {
      expect(guard.refusalOfAddress(address, to(host)) === undefined).toBe(allowed);
    });

    it('allows localhost if a loopback address is allowed', () => {
      expect(outboundGuard({ allow: '127.0.0.1' }).refusalOf('http://localhost', 'rpc')).toBeUndefined();
      expect(outboundGuard({ allow: '127.0.0.1' }).refusalOfAddress('::1', to('localhost'))).toBeDefined();
    });
  });

  describe('with purposes and ports', () => {
    const guard = outboundGuard({
      allow:
        'rpc:10.0.0.0/8:8545, webhook:hooks.internal:443, key-service:[fd00::/8]:8200, rpc:wide.internal, 172.16.0.1:80',
    });

    it.each<[string, Destination['purpose'], boolean]>([
      ['http://10.1.2.3:8545', 'rpc', true],
      ['http://10.1.2.3:8546', 'rpc', false],
      ['http://10.1.2.3:8545', 'webhook', false],
      ['http://10.1.2.3:8545', 'key-service', false],
      ['http://10.1.2.3:8545', 'machine-identity', true],
      ['https://[fd00::1]:8200', 'key-service', true],
      ['https://[fd00::1]', 'key-service', false],
      ['https://[fd00::1]:8200', 'rpc', false],
      ['http://172.16.0.1', 'rpc', true],
      ['http://172.16.0.1', 'webhook', true],
      ['https://172.16.0.1', 'webhook', false],
    ])('%s for %s is allowed: %s', (url, purpose, allowed) => {
      expect(guard.refusalOf(url, purpose) === undefined).toBe(allowed);
    });

    it.each<[string, Partial<Destination>, boolean]>([
      ['hooks.internal', { purpose: 'webhook' }, true],
      ['hooks.internal', { purpose: 'webhook', port: 8443 }, false],
      ['hooks.internal', { purpose: 'rpc' }, false],
      ['wide.internal', { port: 8545, secure: false }, true],
      ['wide.internal', { purpose: 'webhook' }, false],
    ])('%s as %o may resolve to a private address: %s', (host, changes, allowed) => {
      expect(guard.refusalOfAddress('192.168.0.1', to(host, changes)) === undefined).toBe(allowed);
    });
  });

  describe('with plain http', () => {
    const guard = outboundGuard({ allow: 'rpc:node.internal:80, webhook:10.0.0.0/8' });

    it.each<[string, Destination['purpose'], string | undefined]>([
      ['http://8.8.8.8', 'rpc', HTTPS_ONLY],
      ['http://8.8.8.8', 'webhook', HTTPS_ONLY],
      ['http://[::ffff:8.8.8.8]', 'rpc', HTTPS_ONLY],
      ['http://rpc.example.com', 'rpc', HTTPS_ONLY],
      // The name may resolve to an address in the allowed range.
      ['http://hooks.example.com', 'webhook', undefined],
      ['http://node.internal', 'rpc', undefined],
      ['http://node.internal:8545', 'rpc', HTTPS_ONLY],
      ['http://node.internal', 'key-service', 'must use https'],
      ['https://rpc.example.com', 'rpc', undefined],
    ])('checks %s for %s: %j', (url, purpose, refusal) => {
      expect(guard.refusalOf(url, purpose)).toBe(refusal);
    });

    it.each(['hooks.example.com', 'node.internal'])('checks %s by its resolved address', (host) => {
      const plain = to(host, { purpose: 'webhook', secure: false, port: 80 });
      expect(guard.refusalOfAddress('10.0.0.1', plain)).toBeUndefined();
      expect(guard.refusalOfAddress('8.8.8.8', plain)).toBe(HTTPS_ONLY);
      expect(guard.refusalOfAddress('8.8.8.8', to(host, { purpose: 'webhook' }))).toBeUndefined();
    });

    it('allows it outside production or by the setting, but never to a key service', () => {
      for (const other of [outboundGuard({ production: false }), outboundGuard({ plainHttp: true })]) {
        expect(other.refusalOf('http://8.8.8.8', 'rpc')).toBeUndefined();
        expect(other.refusalOf('http://hooks.example.com', 'webhook')).toBeUndefined();
      }
      const keyService = outboundGuard({ plainHttp: true }).refusalOf('http://8.8.8.8', 'key-service');
      expect(keyService).toBe('must use https');
    });
  });

  describe('for the machine identity', () => {
    const identity = (host: string) => strict.refusalOf(`http://${host}/token`, 'machine-identity');

    it.each([
      '169.254.169.254',
      '169.254.130.4:8081',
      'localhost:42356',
      '[fd00:ec2::254]',
      'metadata.google.internal',
    ])('allows %s', (host) => {
      expect(identity(host)).toBeUndefined();
    });

    it.each(['8.8.8.8', '0.0.0.0', '224.0.0.1', '255.255.255.255'])('does not allow %s', (host) => {
      expect(identity(host)).toBeDefined();
    });
  });

  describe('for vendor hosts', () => {
    const DOMAINS = ['vault.azure.net', 'vault.azure.cn'];
    const RULE = 'must be on vault.azure.net, vault.azure.cn, unless OUTBOUND_ALLOW names its host';
    const guard = outboundGuard({
      allow: 'key-service:vault.internal:443, key-service:10.0.0.1:443, rpc:node.internal',
    });

    it.each([
      ['https://my-vault.vault.azure.net', undefined],
      ['https://MY-VAULT.vault.azure.cn.', undefined],
      ['https://vault.azure.net', RULE],
      ['https://a.b.vault.azure.net', RULE],
      ['https://my-vault.vault.azure.net.example.com', RULE],
      ['https://my-vault-vault.azure.net', RULE],
      ['https://8.8.8.8', RULE],
      ['https://vault.internal', undefined],
      ['https://vault.internal:8443', RULE],
      ['https://node.internal', RULE],
      ['https://10.0.0.1', undefined],
      ['https://10.0.0.2', 'leads to an address that is not allowed'],
      ['http://my-vault.vault.azure.net', 'must use https'],
    ])('checks %s: %j', (url, refusal) => {
      expect(guard.refusalOutside(DOMAINS, url)).toBe(refusal);
    });

    it('allows any host outside production', () => {
      expect(lenient.refusalOutside(DOMAINS, 'https://vault.test')).toBeUndefined();
    });
  });
});
