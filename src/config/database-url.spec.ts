import { parseDatabaseUrl } from './database-url';

const RULE =
  'must be sqlite:<file> or mysql://user:password@host:3306/name (mariadb:// too, ?tls=true or ?tls=verify-ca for TLS)';

describe('parseDatabaseUrl', () => {
  it.each([
    ['sqlite:data/relayer.sqlite', 'data/relayer.sqlite'],
    ['sqlite:/var/lib/relayer.sqlite', '/var/lib/relayer.sqlite'],
    ['sqlite:a b%20.sqlite', 'a b%20.sqlite'],
    ['sqlite: data/relayer.sqlite ', 'data/relayer.sqlite'],
    ['sqlite:..data/.relayer', '..data/.relayer'],
  ])('reads %s', (url, file) => {
    expect(parseDatabaseUrl(url)).toEqual({ type: 'sqlite', file });
  });

  const SERVER = { type: 'mysql', host: 'db', port: 3306, user: 'app', name: 'relayers', tls: 'off' };

  it.each([
    ['mysql://app:pw@db:3306/relayers', 'pw', SERVER],
    ['mysql://app:pw@db/relayers', 'pw', SERVER],
    ['mysql://app@db/relayers', '', SERVER],
    ['MYSQL://app:pw@db/relayers', 'pw', SERVER],
    ['mariadb://app:pw@db/relayers', 'pw', { ...SERVER, type: 'mariadb' }],
    ['mysql://app:pw@db:13306/relayers?tls=true', 'pw', { ...SERVER, port: 13306, tls: 'verify-host' }],
    ['mysql://app:pw@db/relayers?tls=verify-ca', 'pw', { ...SERVER, tls: 'verify-ca' }],
    ['mysql://app:pw@192.0.2.7/relayers?tls=verify-ca', 'pw', { host: '192.0.2.7', tls: 'verify-ca' }],
    ['mysql://app:pw@db/relayers?tls=false', 'pw', SERVER],
    [
      'mysql://a%40b:p%3A%2F%40%23%25@db/re%2Dlayers',
      'p:/@#%',
      { ...SERVER, user: 'a@b', name: 're-layers' },
    ],
    ['mysql://app:pw@[::1]:3306/relayers', 'pw', { ...SERVER, host: '::1' }],
    ['mysql://app:pw@192.0.2.7/relayers', 'pw', { ...SERVER, host: '192.0.2.7' }],
  ])('reads %s', (url, password, settings) => {
    const parsed = parseDatabaseUrl(url);
    expect(parsed).toMatchObject(settings);
    if (parsed.type === 'sqlite') throw new Error('not a server');
    expect(parsed.password.reveal()).toBe(password);
    expect(JSON.stringify(parsed)).toContain('"password":"[redacted]"');
  });

  it.each([
    '',
    'sqlite:',
    'sqlite: ',
    'mysql://user:password@host:0/name',
    'mysql://user:password@host/name/other',
    'mysql://user:password@host//name',
    'mysql://user:password@host/%20',
    'relayer.sqlite',
    'postgres://app:pw@db/relayers',
    'http://app:pw@db/relayers',
    'mysql://db/relayers',
    'mysql://app:pw@db',
    'mysql://app:pw@db/',
    'mysql:///relayers',
    'mysql://app:pw@/relayers',
    'mysql://app:pw@db:99999/relayers',
    'mysql://app:p%zz@db/relayers',
    'mysql://a%zz:pw@db/relayers',
    'mysql://app:pw@db/re%zz',
    'mysql://app:pw@db/relayers?ssl=true',
    'mysql://app:pw@db/relayers?tls=1',
    'mysql://app:pw@db/relayers?tls=yes',
    'mysql://app:pw@db/relayers?tls=',
    'mysql://app:pw@db/relayers?tls=false&tls=true',
    'mysql://app:pw@db/relayers#tls=true',
  ])('refuses %j by stating the rule', (url) => {
    expect(() => parseDatabaseUrl(url)).toThrow(new Error(RULE));
  });

  it.each(['data/', '.', '..', 'data/..', '/', 'file:data.sqlite?mode=memory'])(
    'refuses sqlite:%s, which is not a file',
    (file) => {
      const rule =
        'must name a file after sqlite:, such as sqlite:data/relayer.sqlite, not a folder or a URI';
      expect(() => parseDatabaseUrl(`sqlite:${file}`)).toThrow(new Error(rule));
    },
  );

  it.each(['192.0.2.7', '[::1]'])(
    'refuses the address %s where the name in a certificate is verified',
    (host) => {
      expect(() => parseDatabaseUrl(`mysql://app:pw@${host}/relayers?tls=true`)).toThrow(
        'must have the name of the host, with which its certificate is compared, or ?tls=verify-ca instead of ?tls=true',
      );
    },
  );
});
