import { Secret } from '../common/secrets/secret';
import { showSecret } from './show-secret';

describe('showSecret', () => {
  it.each([
    [
      'https://user:k3y@hooks.example.com:8443/k3y?token=k3y#k3y',
      'https://hooks.example.com:8443/… (encrypted)',
    ],
    ['http://10.0.0.1/k3y', 'http://10.0.0.1/… (encrypted)'],
    [
      '[{"url":"https://a.example/k3y","weight":1},{"url":"https://b.example/k3y","weight":2}]',
      'https://a.example/…, https://b.example/… (encrypted)',
    ],
    ['[]', '(encrypted)'],
    ['[k3y', '(encrypted)'],
    ['[1,"k3y",null]', '(encrypted)'],
    ['{"url":"https://a.example"}', '(encrypted)'],
    ['k3y', '(encrypted)'],
    ['', '(encrypted)'],
    ['https://', '(encrypted)'],
  ])('shows only the origins of %s', (text, shown) => {
    expect(showSecret(new Secret(text))).toBe(shown);
    expect(shown).not.toContain('k3y');
  });
});
