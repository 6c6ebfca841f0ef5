import { crc32c } from './crc32c';

describe('crc32c', () => {
  // From RFC 3720, appendix B.4, and the check value from the catalogue of CRCs.
  it.each([
    ['32 bytes of zeros', Buffer.alloc(32), 0x8a9136aa],
    ['32 bytes of ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
    ['32 bytes, rising', Buffer.from(Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e],
    ['32 bytes, falling', Buffer.from(Array.from({ length: 32 }, (_, i) => 31 - i)), 0x113fdb5c],
    ['123456789', Buffer.from('123456789'), 0xe3069283],
    ['nothing', Buffer.alloc(0), 0],
  ])('returns the checksum of %s', (_case, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });
});
