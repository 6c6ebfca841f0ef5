import { loggableText } from './loggable-text';

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = '0x336394A3219e71D9d9bd18201d34E95C1Bb7122C';

describe('loggableText', () => {
  it.each([
    'compliance hold 4711',
    `sender ${ADDRESS} is not an eoa: ${HASH}`,
    'have 10000000000000000000 want 123456789012345678901234567890',
    'TRANSACTION_REPLACEMENT_UNDERPRICED',
    'ungültig',
  ])('shows %j', (message) => {
    expect(loggableText({ code: -32000, message })).toBe(message);
  });

  it.each([
    ['a\nb\r\tc\u0000\u001b[31md\u202ee\u2028f', 'a b c [31md e f'],
    ['Post "https://user:pw@rpc.example/v3/key?x=1": EOF', 'Post "[url] EOF'],
    ['wss://rpc.example/key', '[url]'],
    [`bad transaction 0x02f86b${'00'.repeat(40)}`, 'bad transaction […]'],
    [`bad transaction 02f86b${'00'.repeat(40)}`, 'bad transaction […]'],
    ['project 0123456789abcdef0123456789abcdef is over its limit', 'project […] is over its limit'],
    ['rpc.example/v3/aB3-xYz_0123456789abcdef', 'rpc.example/v3/[…]'],
    ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
    ['x'.repeat(5000), 'x'.repeat(300)],
    [`${'y'.repeat(299)}🙂`, `${'y'.repeat(299)}\ufffd`],
    ['', ''],
  ])('shows %j as %j', (message, text) => {
    expect(loggableText({ code: -32000, message })).toBe(text);
  });

  it('includes data that is text', () => {
    expect(loggableText({ code: 1, message: 'Server error', data: 'no' })).toBe('Server error no');
  });

  it('is quick, whatever a node returns', () => {
    const started = performance.now();
    for (const text of ['a-', 'a', 'a1-', '0x', 'http:', '1', '\u0000 '])
      loggableText({ code: 1, message: text.repeat(500_000) });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
