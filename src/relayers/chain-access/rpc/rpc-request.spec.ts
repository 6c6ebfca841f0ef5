import { batchOf, parseRpcRequest, rpcIdOf } from './rpc-request';

const INVALID = { code: 'invalid_request' };

describe('batchOf', () => {
  it('distinguishes a batch from a single call', () => {
    expect(batchOf({ method: 'm' })).toBeUndefined();
    expect(batchOf(null)).toBeUndefined();
    expect(batchOf([1, null])).toEqual([1, null]);
    expect(batchOf(Array(100).fill(0))).toHaveLength(100);
  });

  it.each([0, 101, 10_000])('refuses a batch of %d calls', (length) => {
    expect(() => batchOf(Array(length).fill({ method: 'm' }))).toThrow(
      expect.objectContaining({ ...INVALID, detail: 'a batch must have 1 to 100 calls' }),
    );
  });
});

describe('parseRpcRequest', () => {
  it.each([
    [{ method: 'm' }, { id: 1, method: 'm', params: [] }],
    [
      { jsonrpc: '2.0', id: 5, method: 'm', params: [1] },
      { id: 5, method: 'm', params: [1] },
    ],
    [
      { id: 'a', method: 'm', params: { b: 1 } },
      { id: 'a', method: 'm', params: { b: 1 } },
    ],
    [
      { id: '', method: 'm', params: null },
      { id: '', method: 'm', params: [] },
    ],
    [
      { id: null, method: 'm' },
      { id: null, method: 'm', params: [] },
    ],
    [
      { id: 0, method: 'm' },
      { id: 0, method: 'm', params: [] },
    ],
    [
      { id: -9007199254740991, method: 'm' },
      { id: -9007199254740991, method: 'm', params: [] },
    ],
    [{ method: 'x'.repeat(64) }, { id: 1, method: 'x'.repeat(64), params: [] }],
  ])('reads %j', (value, request) => {
    expect(parseRpcRequest(value)).toEqual(request);
  });

  it.each([
    [null, 'a call must be a JSON object'],
    [5, 'a call must be a JSON object'],
    ['eth_call', 'a call must be a JSON object'],
    [[{ method: 'm' }], 'a call must be a JSON object'],
    [{}, "Missing 'method' field"],
    [{ method: '' }, "Missing 'method' field"],
    [{ method: 5 }, "Missing 'method' field"],
    [{ method: null }, "Missing 'method' field"],
    [{ method: ['eth_call'] }, "Missing 'method' field"],
    [{ method: 'x'.repeat(65) }, "Invalid 'method' field: must have at most 64 characters"],
    [{ method: 'm', id: 1.5 }, "Invalid 'id' field: must be a string, integer, or null"],
    [{ method: 'm', id: 2 ** 53 }, "Invalid 'id' field: must be a string, integer, or null"],
    [{ method: 'm', id: true }, "Invalid 'id' field: must be a string, integer, or null"],
    [{ method: 'm', id: {} }, "Invalid 'id' field: must be a string, integer, or null"],
    [{ method: 'm', id: [1] }, "Invalid 'id' field: must be a string, integer, or null"],
  ])('refuses %j', (value, detail) => {
    expect(() => parseRpcRequest(value)).toThrow(expect.objectContaining({ ...INVALID, detail }));
  });
});

describe('rpcIdOf', () => {
  it.each([
    [{ id: 7 }, 7],
    [{ id: 'x', method: 5 }, 'x'],
    [{ id: null }, null],
    [{ id: 1.5 }, null],
    [{ id: {} }, null],
    [{}, null],
    [[], null],
    ['id', null],
    [null, null],
  ])('for %j returns %j', (value, id) => {
    expect(rpcIdOf(value)).toBe(id);
  });
});
