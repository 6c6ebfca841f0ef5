import { encodeCall, MalformedAnswerError, parseAnswer } from './json-rpc';

const read = (text: string | Buffer): unknown => parseAnswer(Buffer.from(text), 7);

describe('encodeCall', () => {
  it.each([
    [{ method: 'm', params: ['0x1', {}] }, '{"jsonrpc":"2.0","id":7,"method":"m","params":["0x1",{}]}'],
    [{ method: 'm', params: { a: 1 } }, '{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}'],
    [{ method: 'm', params: null }, '{"jsonrpc":"2.0","id":7,"method":"m","params":null}'],
    [{ method: 'm' }, '{"jsonrpc":"2.0","id":7,"method":"m"}'],
    [{ method: 'm', params: undefined }, '{"jsonrpc":"2.0","id":7,"method":"m"}'],
  ])('writes %j', (call, text) => {
    expect(encodeCall(7, call)).toBe(text);
  });
});

describe('parseAnswer', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":"0x1"}', { result: '0x1' }],
    ['{"id":7,"result":null}', { result: null }],
    ['{"id":7,"result":[],"error":null}', { result: [] }],
    ['{"id":7,"result":{"__proto__":1}}', { result: JSON.parse('{"__proto__":1}') as unknown }],
    [' {"id":7,"result":1,"node":"x"}\n', { result: 1 }],
    ['{"id":7,"error":{"code":-32000,"message":"m"}}', { error: { code: -32000, message: 'm' } }],
    [
      '{"id":7,"result":1,"error":{"code":3,"message":"","data":null}}',
      { error: { code: 3, message: '', data: null } },
    ],
    [
      '{"id":7,"error":{"code":3,"message":"reverted","data":"0x08C379a0","stack":"at"}}',
      { error: { code: 3, message: 'reverted', data: '0x08C379a0' } },
    ],
    ['{"id":null,"error":{"code":-32700,"message":"m"}}', { error: { code: -32700, message: 'm' } }],
    ['{"error":{"code":-32700,"message":"m"}}', { error: { code: -32700, message: 'm' } }],
  ])('reads %s', (text, answer) => {
    expect(read(text)).toEqual(answer);
  });

  it('reads answers that nest as deep as they can be written again, and no deeper', () => {
    const nested = (depth: number) => `{"id":7,"result":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(JSON.stringify(read(nested(2499)))).toHaveLength(2 * 2499 + '{"result":}'.length);
    expect(() => read(nested(2500))).toThrow(new MalformedAnswerError('nests too deep'));
    expect(() => read(nested(2_000_000))).toThrow(new MalformedAnswerError('nests too deep'));
  });

  it.each([
    ['', 'is not JSON'],
    ['<html><body>502 Bad Gateway</body></html>', 'is not JSON'],
    ['{"jsonrpc":"2.0","id":7,"resu', 'is not JSON'],
    ['{"id":7,"result":1}{"id":7,"result":1}', 'is not JSON'],
    [Buffer.from([0xff, 0xfe, 0x00]), 'is not JSON'],
    ['7', 'is not a JSON object'],
    ['"0x1"', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['[{"id":7,"result":1}]', 'is not a JSON object'],
    ['{"id":8,"result":1}', 'has another id than the call'],
    ['{"id":"7","result":1}', 'has another id than the call'],
    ['{"id":null,"result":1}', 'has another id than the call'],
    ['{"result":1}', 'has another id than the call'],
    ['{"id":8,"error":{"code":1,"message":"m"}}', 'has another id than the call'],
    ['{"id":7}', 'has neither result nor error'],
    ['{"id":7,"error":null}', 'has neither result nor error'],
    ['{"id":7,"error":"rate limited"}', 'has an error without code and message'],
    ['{"id":7,"error":false}', 'has an error without code and message'],
    ['{"id":7,"error":{"message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":"1","message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":1.5,"message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":1e300,"message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":1,"message":["m"]}}', 'has an error without code and message'],
  ])('does not take %s for an answer', (text, fault) => {
    expect(() => read(text)).toThrow(new MalformedAnswerError(fault));
  });
});
