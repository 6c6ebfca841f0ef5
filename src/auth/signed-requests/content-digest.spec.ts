import { hasDigest, readContentDigest } from './content-digest';

/** From RFC 9530, appendix B: the same body as in RFC 9421. */
const BODY = Buffer.from('{"hello": "world"}');
const SHA256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:';
const SHA512 =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';

describe('Content-Digest', () => {
  it.each([SHA256, SHA512, `${SHA256}, ${SHA512}`, `md5=:AAAA:, ${SHA256}`])('is verified: %s', (text) => {
    const digest = readContentDigest(text)!;
    expect(hasDigest(BODY, digest)).toBe(true);
    expect(hasDigest(Buffer.from('{"hello": "World"}'), digest)).toBe(false);
    expect(hasDigest(Buffer.alloc(0), digest)).toBe(false);
  });

  it('must match in every digest that it lists', () => {
    const wrong = SHA512.replace('WZDP', 'WZDQ');
    expect(hasDigest(BODY, readContentDigest(`${SHA256}, ${wrong}`)!)).toBe(false);
  });

  it.each([
    '',
    'sha-256',
    'sha-256=x',
    'sha-256=:AAAA:',
    'md5=:AAAA:',
    'sha-256="X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="',
    `${SHA256}, sha-512=:AAAA:`,
    `sha-256=(${SHA256.slice(8)})`,
    'undefined',
  ])('is invalid: %j', (text) => {
    expect(readContentDigest(text)).toBeUndefined();
  });
});
