import { randomBytes } from 'node:crypto';
import { decodeHexKey, encodeHexKey } from './hex-key';

const decoded = (text: string): Buffer | undefined => {
  const key = Buffer.alloc(32);
  return decodeHexKey(Buffer.from(text, 'latin1'), key) ? key : undefined;
};

describe('hex keys', () => {
  it('are decoded and encoded as Node does it', () => {
    for (let i = 0; i < 100; i += 1) {
      const key = randomBytes(32);
      const text = key.toString('hex');
      expect(decoded(text)).toEqual(key);
      expect(decoded(text.toUpperCase())).toEqual(key);
      expect(encodeHexKey(key).toString('latin1')).toBe(text);
    }
  });

  it('consist of hex digits only', () => {
    const digits = 'a'.repeat(63);
    for (let code = 0; code < 256; code += 1) {
      const sign = String.fromCharCode(code);
      const isDigit = /^[0-9a-fA-F]$/.test(sign);
      expect(decoded(digits + sign) !== undefined).toBe(isDigit);
      expect(decoded(sign + digits) !== undefined).toBe(isDigit);
    }
  });

  it.each([0, 1, 62, 63, 65, 66, 128])('have 64 digits, not %d', (length) => {
    expect(decoded('a'.repeat(length))).toBeUndefined();
  });
});
