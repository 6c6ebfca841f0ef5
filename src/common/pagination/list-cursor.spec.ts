import { formatCursor, parseCursor } from './list-cursor';

describe('A cursor', () => {
  it.each(['demo', 'evm:arbitrum-one', 'évm:1:2\nx'])('is decoded as it was encoded: %j', (id) => {
    const cursor = { createdAt: new Date('2026-01-31T12:00:00.123Z'), id };
    const text = formatCursor(cursor);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(parseCursor(text)).toEqual(cursor);
  });

  it.each([
    '',
    'x',
    'MTc2',
    `${Buffer.from('1:demo').toString('base64')}=`,
    Buffer.from('01:demo').toString('base64url'),
    Buffer.from('1:').toString('base64url'),
    Buffer.from('253402300800000:demo').toString('base64url'),
    Buffer.from('9999999999999999:demo').toString('base64url'),
    Buffer.from([0x31, 0x3a, 0xff]).toString('base64url'),
    ['MTpkZW1v', 'MTpkZW1v'],
    null,
    1,
  ])('is rejected if malformed: %j', (text) => {
    expect(() => parseCursor(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: 'cursor must be given once, as next_cursor of an earlier response',
      }),
    );
  });
});
