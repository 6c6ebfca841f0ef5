import { parseUrl } from './parse-url';

describe('parseUrl', () => {
  it('returns the same result on every call', () => {
    let hosts = 0;
    for (let i = 0; i < 20_000; i += 1) if (parseUrl('https://bücher.example/')?.host) hosts += 1;
    expect(hosts).toBe(20_000);
    expect(parseUrl('https://bücher.example/')?.host).toBe('xn--bcher-kva.example');
  });

  it.each(['', 'x', 'https://', '/path', 'https://a b/'])('returns no URL for %j', (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });
});
