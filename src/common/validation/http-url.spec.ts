import { validateSync } from 'class-validator';
import { IsHttpUrl, maskUrl } from './http-url';

class Strict {
  @IsHttpUrl({ userInfo: false })
  url: unknown;
}

class WithUserInfo {
  @IsHttpUrl({ userInfo: true })
  url: unknown;
}

const accepts = (type: new () => { url: unknown }, url: unknown): boolean =>
  validateSync(Object.assign(new type(), { url })).length === 0;

describe('IsHttpUrl', () => {
  it.each([
    'http://example.com',
    'https://example.com/',
    'HTTPS://EXAMPLE.COM/Path',
    'https://example.com:8443/a/b?c=d&e=f#g',
    'http://127.0.0.1:8545',
    'http://[::1]:8545/rpc',
    'http://localhost',
    'https://bücher.example/',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('accepts %s', (url) => {
    expect(accepts(Strict, url)).toBe(true);
  });

  it.each([
    '',
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ws://example.com',
    'http:example.com',
    'http:/example.com',
    'http://',
    'http:///example.com',
    'https://///example.com',
    'https://?query',
    'https://#fragment',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com ',
    'https://example.com/\n',
    'https://exam\tple.com',
    'https://example.com\\@evil.example',
    'https://example.com/\u0000',
    'https://example.com:70000',
    'https://[::1',
    `https://example.com/${'a'.repeat(2029)}`,
    null,
    undefined,
    42,
    {},
    ['https://example.com'],
  ])('refuses %j', (url) => {
    expect(accepts(Strict, url)).toBe(false);
    expect(accepts(WithUserInfo, url)).toBe(false);
  });

  it.each(['https://user:password@example.com', 'https://user@example.com', 'https://:password@example.com'])(
    'accepts %s only if user info is allowed',
    (url) => {
      expect(accepts(Strict, url)).toBe(false);
      expect(accepts(WithUserInfo, url)).toBe(true);
    },
  );

  it('counts characters of 4 bytes as OpenAPI does', () => {
    expect(accepts(Strict, `https://example.com/${'😀'.repeat(2028)}`)).toBe(true);
    expect(accepts(Strict, `https://example.com/${'😀'.repeat(2029)}`)).toBe(false);
  });

  it('states the rule without the value', () => {
    const text = (type: new () => { url: unknown }): unknown =>
      validateSync(Object.assign(new type(), { url: 'ftp://k3y@host' }))[0]?.constraints?.isHttpUrl;
    expect(text(WithUserInfo)).toBe('url must be an http or https URL of at most 2048 characters');
    expect(text(Strict)).toBe(
      'url must be an http or https URL of at most 2048 characters, without user name or password',
    );
  });
});

describe('maskUrl', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com/v2/k3y', 'https://example.com/***'],
    ['https://example.com/?key=k3y', 'https://example.com/***'],
    ['https://example.com?key=k3y', 'https://example.com/***'],
    ['https://example.com/#k3y', 'https://example.com/***'],
    ['https://user:k3y@example.com', 'https://example.com'],
    ['https://k3y@example.com/path', 'https://example.com/***'],
    ['http://example.com:8545', 'http://example.com:8545'],
    ['http://example.com:8545/k3y', 'http://example.com:8545/***'],
    ['https://example.com:443/', 'https://example.com'],
    ['http://[::1]:8545/k3y', 'http://[::1]:8545/***'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
  ])('masks %s as %s', (url, masked) => {
    expect(maskUrl(url)).toBe(masked);
  });
});
