import { createPublicKey, verify } from 'node:crypto';
import { signatureBase, type SignedMessage } from './signature-base';

/** From RFC 9421, B.2: the request that all examples sign. */
const MESSAGE: SignedMessage = {
  method: 'POST',
  origin: 'https://example.com',
  target: '/foo?param=Value&Pet=dog',
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
  },
};

describe('signatureBase', () => {
  it('matches RFC 9421, B.2.3', () => {
    const components = [
      ...['date', '@method', '@path', '@query', '@authority', 'content-type', 'content-digest'],
      'content-length',
    ];
    const parameters =
      '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length")' +
      ';created=1618884473;keyid="test-key-rsa-pss"';
    expect(signatureBase(MESSAGE, components, parameters)).toBe(
      `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@query": ?param=Value&Pet=dog
"@authority": example.com
"content-type": application/json
"content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"`,
    );
  });

  it('matches RFC 9421, B.2.1 and B.2.5', () => {
    expect(
      signatureBase(
        MESSAGE,
        [],
        '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
      ),
    ).toBe(
      '"@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
    );
    const parameters = '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"';
    expect(signatureBase(MESSAGE, ['date', '@authority', 'content-type'], parameters)).toBe(
      `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@authority": example.com
"content-type": application/json
"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"`,
    );
  });

  it('verifies against the signature of RFC 9421, B.2.6', () => {
    const key = createPublicKey(
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----\n',
    );
    const signature =
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
    const components = ['date', '@method', '@path', '@authority', 'content-type', 'content-length'];
    const parameters =
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
    const base = signatureBase(MESSAGE, components, parameters);
    expect(verify(null, Buffer.from(base!), key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it.each([
    ['@target-uri', 'https://example.com/foo?param=Value&Pet=dog'],
    ['@request-target', '/foo?param=Value&Pet=dog'],
    ['@scheme', 'https'],
  ])('contains %s', (name, value) => {
    expect(signatureBase(MESSAGE, [name], '()')).toBe(`"${name}": ${value}\n"@signature-params": ()`);
  });

  it('represents an empty query as a question mark', () => {
    expect(signatureBase({ ...MESSAGE, target: '/foo' }, ['@query'], '()')).toContain('"@query": ?\n');
  });

  it('trims field values, and joins repeated ones', () => {
    const headers = { 'x-a': '  one  ', 'set-cookie': ['a ', ' b'] };
    expect(signatureBase({ ...MESSAGE, headers }, ['x-a', 'set-cookie'], '()')).toBe(
      '"x-a": one\n"set-cookie": a, b\n"@signature-params": ()',
    );
  });

  it.each([
    'x-missing',
    '@status',
    '@query-param',
    'toString',
    '__proto__',
    'Date',
    'a"b',
    '@signature-params',
  ])('is undefined with %s', (name) => {
    expect(signatureBase(MESSAGE, [name], '()')).toBeUndefined();
  });
});
