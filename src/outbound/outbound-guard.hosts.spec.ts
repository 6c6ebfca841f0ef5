import { outboundGuard, outboundHttp } from '../../test/support/outbound';

/** Hosts that are refused in production; if `never` is true, in every environment and whatever the settings allow. */
const HOSTILE: [host: string, never: boolean][] = [
  // cloud metadata
  ['169.254.169.254', true],
  ['169.254.170.2', true],
  ['169.254.170.23', true],
  ['169.254.0.23', true],
  ['169.254.42.42', true],
  ['100.100.100.200', true],
  ['192.0.0.192', true],
  ['168.63.129.16', true],
  ['[fd00:ec2::254]', true],
  ['[fd00:ec2::23]', true],
  ['[fd20:ce::254]', true],
  ['[fd00:c1::a9fe:a9fe]', true],
  ['[fd00:42::42]', true],
  ['[fe80::a9fe:a9fe]', true],
  ['metadata', true],
  ['metadata.goog', true],
  ['metadata.google.internal', true],
  ['METADATA.google.Internal', true],
  ['metadata.google.internal.', true],
  ['metadata.google.internal..', true],
  ['metadata%2Egoogle%2Einternal', true],
  ['metadata。google。internal', true],
  ['metadata.tencentyun.com', true],
  ['instance-data', true],
  // the same addresses, spelled differently
  ['2852039166', true],
  ['0xA9FEA9FE', true],
  ['0xa9.0xfe.0xa9.0xfe', true],
  ['0251.0376.0251.0376', true],
  ['025177524776', true],
  ['169.254.43518', true],
  ['169.16689662', true],
  ['169.254.169.254.', true],
  ['169%2e254%2e169%2e254', true],
  ['%31%36%39.254.169.254', true],
  ['１６９.２５４.１６９.２５４', true],
  ['①⑥⑨.254.169.254', true],
  ['169。254。169。254', true],
  ['user@169.254.169.254', true],
  ['[::ffff:169.254.169.254]', true],
  ['[::FFFF:A9FE:A9FE]', true],
  ['[0:0:0:0:0:ffff:a9fe:a9fe]', true],
  ['[::169.254.169.254]', true],
  ['[::ffff:0:169.254.169.254]', true],
  ['[64:ff9b::169.254.169.254]', true],
  ['[64:ff9b:1::169.254.169.254]', true],
  ['[2002:a9fe:a9fe::1]', true],
  // Teredo inverts the client's address: 169.254.169.254 becomes 5601:5601
  ['[2001:0:4136:e378:8000:63bf:5601:5601]', true],
  // unspecified, multicast, broadcast, reserved
  ['0.0.0.0', true],
  ['0', true],
  ['0x0', true],
  ['0.1.2.3', true],
  ['224.0.0.1', true],
  ['239.255.255.250', true],
  ['240.0.0.1', true],
  ['255.255.255.255', true],
  ['4294967295', true],
  ['192.0.0.8', true],
  ['192.88.99.1', true],
  ['[::]', true],
  ['[0:0:0:0:0:0:0:0]', true],
  ['[::ffff:0.0.0.0]', true],
  ['[ff02::1]', true],
  ['[100::1]', true],
  ['[4000::1]', true],
  ['[2001:20::1]', true],
  ['[::255.255.255.255]', true],
  // private
  ['127.0.0.1', false],
  ['127.1', false],
  ['127.255.255.254', false],
  ['2130706433', false],
  ['0x7f000001', false],
  ['0x7f.1', false],
  ['017700000001', false],
  ['127.0.0.1.', false],
  ['１２７.0.0.1', false],
  ['10.0.0.1', false],
  ['10.1', false],
  ['012.0.0.1', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['192.168.257', false],
  ['169.254.1.1', false],
  ['100.64.0.1', false],
  ['100.127.255.255', false],
  ['198.18.0.1', false],
  ['198.19.255.255', false],
  ['192.0.2.1', false],
  ['198.51.100.1', false],
  ['203.0.113.1', false],
  ['[::1]', false],
  ['[0000:0000:0000:0000:0000:0000:0000:0001]', false],
  ['[::ffff:127.0.0.1]', false],
  ['[::ffff:7f00:1]', false],
  ['[::127.0.0.1]', false],
  ['[::ffff:0:127.0.0.1]', false],
  ['[::ffff:10.0.0.1]', false],
  ['[64:ff9b::10.0.0.1]', false],
  ['[64:ff9b:1::808:808]', false],
  ['[2002:7f00:1::]', false],
  ['[2002:c0a8:101::1]', false],
  ['[2001:0:4136:e378:8000:63bf:80ff:fffe]', false],
  ['[fc00::1]', false],
  ['[fdff:ffff::1]', false],
  ['[fe80::1]', false],
  ['[febf::1]', false],
  ['[fec0::1]', false],
  ['[2001:db8::1]', false],
  ['[2001:2::1]', false],
  ['[3fff::1]', false],
  ['localhost', false],
  ['LOCALHOST', false],
  ['localhost.', false],
  ['ｌocalhost', false],
  ['local%68ost', false],
  ['a.localhost', false],
  ['user:password@localhost:8545', false],
];

const HARMLESS = [
  'rpc.example.com',
  'RPC.Example.COM.',
  'user:password@rpc.example.com:8443',
  'localhost.example.com',
  'notlocalhost',
  'metadata.example.com',
  '127.0.0.1.example.com',
  '10.example.com',
  'xn--bcher-kva.example',
  '1.1.1.1',
  '8.8.8.8',
  '134744072',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '[2606:4700:4700::1111]',
  '[2001:4860:4860::8888]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::8.8.8.8]',
  '[2002:808:808::1]',
  '[2001:0:4136:e378:8000:63bf:f7f7:f7f7]',
];

const EVERYTHING = '0.0.0.0/0, ::/0, metadata.google.internal, metadata, instance-data, localhost';

describe('OutboundGuard on hosts', () => {
  const strict = outboundGuard();
  const lenient = outboundGuard({ production: false });
  const open = outboundGuard({ allow: EVERYTHING });

  it('is tested with more than 100 hostile hosts', () => {
    expect(new Set(HOSTILE.map(([host]) => host)).size).toBeGreaterThan(100);
  });

  it.each(HOSTILE)('refuses %s in production', (host) => {
    for (const url of [`http://${host}`, `https://${host}/v2/key?a=b#c`])
      expect(strict.refusalOf(url, 'rpc')).toBe('leads to an address that is not allowed');
  });

  it.each(HOSTILE.filter(([, never]) => never))('always refuses %s', (host) => {
    expect(lenient.refusalOf(`http://${host}`, 'rpc')).toBe('leads to an address that is not allowed');
    expect(open.refusalOf(`http://${host}`, 'rpc')).toBe('leads to an address that is not allowed');
  });

  it.each(HOSTILE.filter(([, never]) => !never))(
    'allows %s outside production, or by the settings',
    (host) => {
      expect(lenient.refusalOf(`http://${host}`, 'rpc')).toBeUndefined();
      expect(open.refusalOf(`http://${host}`, 'rpc')).toBeUndefined();
    },
  );

  it.each(HARMLESS)('allows %s', (host) => {
    expect(strict.refusalOf(`https://${host}/v2/key`, 'rpc')).toBeUndefined();
  });

  it('is consulted before every connection, even to literal addresses', async () => {
    const asked: string[] = [];
    const lookup = (name: string) => {
      asked.push(name);
      return Promise.resolve(['169.254.169.254']);
    };
    const http = outboundHttp({ lookup });
    const post = (host: string, scheme = 'http') =>
      http.post({
        url: `${scheme}://${host}`,
        purpose: 'rpc',
        body: '',
        timeoutMs: 5000,
        maxBytes: 1,
        onTooLarge: 'fail',
      });
    for (const [host] of HOSTILE)
      await expect(post(host)).rejects.toMatchObject({ name: 'OutboundError', failure: 'refused' });
    expect(asked).toEqual([]);
    await expect(post('rpc.example.com', 'https')).rejects.toMatchObject({ failure: 'refused' });
    expect(asked).toEqual(['rpc.example.com']);
    await http.onApplicationShutdown();
  });
});
