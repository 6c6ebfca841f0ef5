import { Webhook } from 'standardwebhooks';
import { signingKeyFault } from './signing-key';

const STANDARD_RULE = 'must be whsec_ and the base64 of 24 to 64 bytes';
const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`;

describe('signingKeyFault', () => {
  it.each(['k'.repeat(32), 'ä'.repeat(16), 'WHSEC_'.padEnd(32, '-')])('accepts %s', (key) => {
    expect(signingKeyFault(key)).toBeUndefined();
  });

  it.each([24, 25, 32, 64])('accepts a Standard Webhooks key of %d bytes, as does their library', (bytes) => {
    expect(signingKeyFault(whsec(bytes))).toBeUndefined();
    expect(() => new Webhook(whsec(bytes))).not.toThrow();
  });

  it.each(['', 'k'.repeat(31), 'ä'.repeat(15)])('rejects "%s"', (key) => {
    expect(signingKeyFault(key)).toBe('must be at least 32 bytes');
  });

  it.each([
    ['nothing', ''],
    ['too few bytes', whsec(23).slice(6)],
    ['too many bytes', whsec(65).slice(6)],
    ['no base64', 'not base64, though it is long enough'],
    ['base64 without its padding', whsec(25).slice(6).replaceAll('=', '')],
    ['base64 for URLs', whsec(24).slice(6).replaceAll('+', '-').replaceAll('/', '_')],
    ['base64 with bits that say nothing', `${'A'.repeat(33)}B==`],
    ['a line end', `${whsec(24).slice(6)}\n`],
  ])('rejects whsec_ followed by %s', (_what, rest) => {
    expect(signingKeyFault(`whsec_${rest}`)).toBe(STANDARD_RULE);
  });
});
