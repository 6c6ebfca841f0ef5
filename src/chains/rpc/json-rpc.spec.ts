import { encodeCall } from './json-rpc';

describe('encodeCall', () => {
  it.each([
    [{ method: 'm', params: ['0x1', {}] }, '{"jsonrpc":"2.0","id":7,"method":"m","params":["0x1",{}]}'],
    [{ method: 'm', params: { a: 1 } }, '{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}'],
    [{ method: 'm', params: null }, '{"jsonrpc":"2.0","id":7,"method":"m","params":null}'],
    [{ method: 'm' }, '{"jsonrpc":"2.0","id":7,"method":"m"}'],
    [{ method: 'm', params: undefined }, '{"jsonrpc":"2.0","id":7,"method":"m"}'],
  ])('encodes %j', (call, text) => {
    expect(encodeCall(7, call)).toBe(text);
  });
});
