import { valuesOf } from '../../../test/support/fake-nodes';
import { BytePieces } from '../../common/http/byte-pieces';
import { OutboundError, type OutboundFailure } from '../../outbound/outbound-error';
import type { OutboundHttp } from '../../outbound/outbound-http';
import type { OutboundResponse, OutboundRequest } from '../../outbound/outbound-message';
import type { EndpointError } from './endpoint-error';
import type { NodeContent } from './response/node-response';
import { httpTransport, type RpcTransport } from './rpc-transport';

const URL = 'https://user:pw@node.example/v2/k3y';
const CALL = { method: 'eth_blockNumber', params: [] };
const MAX_BYTES = 100_000;
const NODE_ERROR = { code: -32000, message: 'nonce too low' };

const bytesOf = (text: string): BytePieces => new BytePieces([Buffer.from(text)]);
const EMPTY: OutboundResponse = {
  status: 200,
  headers: {},
  pieces: bytesOf(''),
  body: Buffer.from(''),
  truncated: false,
  remoteAddress: '192.0.2.1',
  retain: () => ({ handOver: () => undefined, release: () => undefined }),
};

describe('httpTransport', () => {
  let requests: OutboundRequest[];
  let endpointResponse: (id: number) => Partial<OutboundResponse> | OutboundFailure;
  let results: (ids: number[]) => Partial<OutboundResponse> | OutboundFailure;
  let transport: RpcTransport;

  beforeEach(() => {
    requests = [];
    const postThen = <T>(
      request: OutboundRequest,
      read: (response: OutboundResponse) => T | Promise<T>,
    ): Promise<T> => {
      requests.push(request);
      const sent = JSON.parse(String(request.body)) as { id: number } | { id: number }[];
      const given = Array.isArray(sent) ? results(sent.map(({ id }) => id)) : endpointResponse(sent.id);
      return typeof given === 'string'
        ? Promise.reject(new OutboundError(given, `node.example:443 fails with ${given}`))
        : Promise.resolve(read({ ...EMPTY, ...given }));
    };
    transport = httpTransport({ postThen } as unknown as OutboundHttp);
  });

  const setResponse = (content: (id: number) => unknown, status = 200, headers = {}): void => {
    endpointResponse = (id) => ({ status, headers, pieces: bytesOf(JSON.stringify(content(id))) });
  };
  const setResponseText = (text: string, status = 200, headers = {}): void => {
    endpointResponse = () => ({ status, headers, pieces: bytesOf(text) });
  };
  const result = (id: number) => ({ jsonrpc: '2.0', id, result: '0x1' });
  const error = (id: number | null) => ({ jsonrpc: '2.0', id, error: NODE_ERROR });

  const respond = async () => valuesOf(await transport.call(URL, CALL, MAX_BYTES));

  const failureOf = async (): Promise<[string, number | undefined]> => {
    const thrown = (await respond().catch((caught: unknown) => caught)) as EndpointError;
    expect(thrown.name).toBe('EndpointError');
    expect(String(thrown.stack)).not.toMatch(/k3y|pw@/);
    return [thrown.failure, thrown.retryAfterMs];
  };

  it('posts each call with its own id, a time-out and a size limit', async () => {
    setResponse(result);
    expect(await respond()).toEqual({ result: '0x1' });
    expect(await respond()).toEqual({ result: '0x1' });
    expect(requests.map(({ body }) => body)).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
      '{"jsonrpc":"2.0","id":2,"method":"eth_blockNumber","params":[]}',
    ]);
    expect(requests[0]).toMatchObject({
      url: URL,
      timeoutMs: 10_000,
      maxBytes: MAX_BYTES,
      onTooLarge: 'fail',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('posts to an endpoint that a client has chosen as such', async () => {
    setResponse(result);
    await transport.call(URL, CALL, MAX_BYTES, true, true);
    results = () => 'connection';
    await expect(transport.callAll(URL, [CALL], MAX_BYTES, true)).rejects.toThrow('connection');
    await transport.call(URL, CALL, MAX_BYTES, true);
    expect(requests.map(({ isCustom }) => isCustom)).toEqual([true, true, false]);
  });

  it.each<[OutboundFailure, string]>([
    ['refused', 'refused'],
    ['dns', 'dns'],
    ['connection', 'connection'],
    ['tls', 'tls'],
    ['timeout', 'timeout'],
    ['too_large', 'too_large'],
    ['overloaded', 'overloaded'],
    ['cut_off', 'cut_off'],
    ['aborted', 'connection'],
  ])('maps the outbound failure %s to %s', async (given, failure) => {
    endpointResponse = () => given;
    expect(await failureOf()).toEqual([failure, undefined]);
  });

  it.each([
    [400, 'http'],
    [401, 'rejected'],
    [402, 'http'],
    [403, 'rejected'],
    [404, 'rejected'],
    [405, 'http'],
    [408, 'timeout'],
    [410, 'rejected'],
    [413, 'http'],
    [418, 'http'],
    [429, 'rate_limited'],
    [500, 'http'],
    [502, 'http'],
    [503, 'http'],
    [504, 'http'],
    [521, 'http'],
    [301, 'http'],
    [302, 'http'],
    [307, 'http'],
    [308, 'http'],
  ])('maps status %d to %s, with any body that is not an error of the node', async (status, failure) => {
    setResponse(result, status);
    expect(await failureOf()).toEqual([failure, undefined]);
    for (const text of ['', '<html>', '[]', '{"id":1']) {
      setResponseText(text, status);
      expect(await failureOf()).toEqual([failure, undefined]);
    }
  });

  it.each([
    [403, 'rejected', undefined],
    [429, 'rate_limited', 7000],
    [500, 'too_large', 7000],
  ])('maps status %d to %s if its body is too long', async (status, failure, retryAfter) => {
    const headers = { 'retry-after': '7' };
    endpointResponse = () => ({ status, headers, pieces: bytesOf('<html>'), truncated: true });
    expect(await failureOf()).toEqual([failure, retryAfter]);
  });

  it('passes on the JSON-RPC error of the call in a response of status 403', async () => {
    setResponse(error, 403);
    const response = await transport.call(URL, CALL, MAX_BYTES);
    expect(response).toMatchObject({ content: NODE_ERROR, isForbidden: true });
    setResponse((id) => error(id + 1), 403);
    expect(await failureOf()).toEqual(['rejected', undefined]);
    setResponse(() => error(null), 403);
    expect(await failureOf()).toEqual(['rejected', undefined]);
  });

  it.each([401, 404, 408, 410, 429])(
    'ignores the JSON-RPC error in a response of status %d',
    async (status) => {
      setResponse(error, status);
      expect((await failureOf())[0]).toMatch(/^(rejected|timeout|rate_limited)$/);
    },
  );

  it.each([400, 413, 422, 500, 502, 503])(
    'reads the JSON-RPC error in a response of status %d',
    async (status) => {
      setResponse(error, status);
      expect(await respond()).toEqual({ error: NODE_ERROR });
      setResponse(() => error(null), status);
      expect(await respond()).toEqual({ error: NODE_ERROR });
      setResponse((id) => error(id + 1), status);
      expect(await failureOf()).toEqual(['http', undefined]);
    },
  );

  it.each([200, 201, 202])('reads the result in a response of status %d', async (status) => {
    setResponse(result, status);
    expect(await respond()).toEqual({ result: '0x1' });
  });

  it.each([
    ['another id', (id: number) => result(id + 1)],
    ['the id as a string', (id: number) => ({ ...result(id), id: String(id) })],
    ['a result without an id', () => ({ result: '0x1' })],
    ['a result with a null id', () => ({ id: null, result: '0x1' })],
    ['a batch', (id: number) => [result(id)]],
    ['a number', () => 1],
    ['null', () => null],
    ['neither result nor error', (id: number) => ({ id })],
    ['an error that is a string', (id: number) => ({ id, error: 'busy' })],
  ])('rejects %s as malformed', async (_what, content) => {
    setResponse(content);
    expect(await failureOf()).toEqual(['malformed', undefined]);
  });

  it.each(['', ' ', '<!doctype html><title>Login</title>', '{"jsonrpc":"2.0","id":1,"resu', 'null'])(
    'rejects the body %j as malformed',
    async (text) => {
      setResponseText(text);
      expect(await failureOf()).toEqual(['malformed', undefined]);
    },
  );

  describe('callAll', () => {
    const CALLS = [CALL, { method: 'eth_gasPrice' }];

    const respondToAll = async () => (await transport.callAll(URL, CALLS, MAX_BYTES))?.contents.map(textOf);
    const textOf = (content: NodeContent): string =>
      ('error' in content ? content.error : content.result).toString();

    const setBatchResponse = (content: (ids: number[]) => unknown, status = 200, headers = {}): void => {
      results = (ids) => ({ status, headers, pieces: bytesOf(JSON.stringify(content(ids))) });
    };
    const failureOfAll = async (): Promise<string> =>
      ((await respondToAll().catch((caught: unknown) => caught)) as EndpointError).failure;

    it('posts the calls in one batch, each with its own id', async () => {
      setBatchResponse((ids) => ids.map(result).reverse());
      expect(await respondToAll()).toEqual(['"0x1"', '"0x1"']);
      expect(requests.map(({ body, maxBytes }) => [body, maxBytes])).toEqual([
        [
          '[{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]},{"jsonrpc":"2.0","id":2,"method":"eth_gasPrice"}]',
          MAX_BYTES,
        ],
      ]);
    });

    it('returns the error of one call and the result of another', async () => {
      setBatchResponse(([a, b]) => [error(a!), result(b!)]);
      expect(await respondToAll()).toEqual([JSON.stringify(NODE_ERROR), '"0x1"']);
    });

    it.each([400, 404, 413, 415, 501])('treats status %d as a lack of batch support', async (status) => {
      setBatchResponse((ids) => ids.map(result), status);
      expect(await respondToAll()).toBeUndefined();
    });

    it.each(['', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}', 'null', '<html>'])(
      'treats the body %j as a lack of batch support',
      async (text) => {
        results = () => ({ pieces: bytesOf(text) });
        expect(await respondToAll()).toBeUndefined();
      },
    );

    it.each([
      [401, 'rejected'],
      [403, 'rejected'],
      [408, 'timeout'],
      [410, 'rejected'],
      [429, 'rate_limited'],
      [301, 'http'],
      [500, 'http'],
      [503, 'http'],
    ])('maps status %d to %s', async (status, failure) => {
      setBatchResponse((ids) => ids.map(result), status);
      expect(await failureOfAll()).toBe(failure);
    });

    it.each([
      ['no responses', () => []],
      ['one response too few', ([a]: number[]) => [result(a!)]],
      ['a response twice', ([a]: number[]) => [result(a!), result(a!)]],
      ['one response too many', ([a, b]: number[]) => [result(a!), result(b!), result(b!)]],
      ['a response to another call', ([a, b]: number[]) => [result(a!), result(b! + 1)]],
      ['an error without an id', ([a]: number[]) => [result(a!), error(null)]],
      ['a response that is not an object', ([a]: number[]) => [result(a!), 'busy']],
    ])('rejects %s as malformed', async (_what, content) => {
      setBatchResponse(content);
      expect(await failureOfAll()).toBe('malformed');
    });

    it('rejects a content encoding as malformed', async () => {
      setBatchResponse((ids) => ids.map(result), 200, { 'content-encoding': 'gzip' });
      expect(await failureOfAll()).toBe('malformed');
    });

    it('retains the memory of a large response until it is released', async () => {
      let released = 0;
      const retain = () => ({ handOver: () => undefined, release: () => void (released += 1) });
      results = ([a, b]) => ({
        pieces: bytesOf(JSON.stringify([{ ...result(a!), result: 'x'.repeat(70_000) }, result(b!)])),
        retain,
      });
      const batch = await transport.callAll(URL, CALLS, MAX_BYTES);
      expect(released).toBe(0);
      batch?.release();
      expect(released).toBe(1);
    });
  });

  describe('Retry-After', () => {
    const NOW = Date.parse('2026-05-04T12:00:00Z');

    beforeEach(() => {
      jest.spyOn(Date, 'now').mockReturnValue(NOW);
    });

    afterEach(() => {
      jest.restoreAllMocks();
    });

    it.each([
      ['0', 0],
      ['7', 7000],
      ['9999999', 9_999_999_000],
      ['Mon, 04 May 2026 12:01:30 GMT', 90_000],
      ['Mon, 04 May 2026 11:00:00 GMT', 0],
      ['Fri, 31 Dec 9999 23:59:59 GMT', 1_000_000_000_000],
      ['', undefined],
      ['soon', undefined],
      ['-1', undefined],
      ['1.5', undefined],
      ['0x10', undefined],
      ['2026', 2_026_000],
      ['99999999', 99_999_999_000],
      ['5 minutes', undefined],
      [['5', '6'], 6000],
      [undefined, undefined],
    ])('of %j is %d ms', async (header, milliseconds) => {
      setResponseText('', 429, { 'retry-after': header });
      expect(await failureOf()).toEqual(['rate_limited', milliseconds]);
      setResponseText('', 503, { 'retry-after': header });
      expect(await failureOf()).toEqual(['http', milliseconds]);
    });
  });
});
