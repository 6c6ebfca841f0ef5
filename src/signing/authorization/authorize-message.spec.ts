import { authorizeMessage } from './authorize-message';

const check = (allow: 'none' | 'text' | 'any', message: Uint8Array) => (): void => {
  authorizeMessage({ allow }, message);
};
const refusal = (detail: string): Error =>
  expect.objectContaining({
    code: 'message_not_allowed',
    message: 'Message not allowed by policy',
    detail,
  }) as Error;
const UNPRINTABLE = 'policies.messages.allow is "text", and the message is not printable UTF-8';

describe('authorizeMessage', () => {
  it.each([Buffer.alloc(0), Buffer.from('text'), Buffer.alloc(32, 0xff)])(
    'allows %j with "any", and rejects it with "none"',
    (message) => {
      expect(check('any', message)).not.toThrow();
      expect(check('none', message)).toThrow(refusal('policies.messages.allow is "none"'));
    },
  );

  it.each([
    '',
    'Some data',
    'a\tb\r\nc',
    '漢字',
    'ü',
    '👩‍👩‍👧',
    'می‌خواهم',
    'x'.repeat(31),
    'x'.repeat(33),
    `0x${'ab'.repeat(32)}`,
    // 32 characters and 64 bytes
    'ü'.repeat(32),
  ])('allows the text %j', (text) => {
    expect(check('text', Buffer.from(text))).not.toThrow();
  });

  it.each([
    ['ASCII', 'x'.repeat(32)],
    ['16 characters', 'ü'.repeat(16)],
  ])('rejects 32 bytes as text: %s', (_what, text) => {
    expect(check('text', Buffer.from(text))).toThrow(
      refusal('policies.messages.allow is "text", and 32 bytes may be a hash'),
    );
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['escape', '\u001b[31m'],
    ['delete', 'a\u007f'],
    ['a C1 control', 'a\u0085b'],
    ['a direction override', 'a\u202eb'],
    ['a direction isolate', 'a\u2066b'],
    ['a byte order mark', '\ufeffa'],
    ['a zero-width space', 'a\u200bb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a private character', 'a\ue000b'],
    ['an unassigned one', 'a\u{e0fff}b'],
    ['a tag', 'a\u{e0041}b'],
  ])('rejects text that contains %s', (_what, text) => {
    expect(check('text', Buffer.from(text))).toThrow(refusal(UNPRINTABLE));
  });

  it.each([
    ['a byte that cannot start a character', [0xff]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a cut character', [0x61, 0xe6, 0xbc]],
  ])('rejects text that is not UTF-8: %s', (_what, bytes) => {
    expect(check('text', Buffer.from(bytes))).toThrow(refusal(UNPRINTABLE));
  });
});
