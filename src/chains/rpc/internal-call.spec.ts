import { asReceived } from '../../../test/support/fake-nodes';
import { resultOf } from '../../../test/support/steps';
import { BytePieces } from '../../common/http/byte-pieces';
import { parseNodeResponse } from './internal-call';
import { MalformedResponseError } from './json-rpc';
import { type NodeContent, readNodeResponse } from './response/node-response';

/** A response with this error, as the transport returns it. */
const unread = (error: string): NodeContent =>
  resultOf(readNodeResponse(new BytePieces([Buffer.from(`{"id":1,"error":${error}}`)]), 1));

const parse = (response: NodeContent, members?: string[]) =>
  resultOf(parseNodeResponse(response, { members }));

describe('parseNodeResponse', () => {
  const log = { address: '0x1', topics: ['0x2', '0x3'], data: '0x', blockNumber: '0x4', removed: false };

  it.each([
    [{ result: '0x1' }],
    [{ result: null }],
    [{ result: { status: '0x1', logs: Array(400).fill(log) } }],
    [{ error: { code: -32000, message: 'header not found' } }],
  ])('reads results and errors', (response) => {
    expect(parse(asReceived(response))).toEqual(response);
  });

  it('reads the given members of a result that is too large to be read as a whole', () => {
    const result = { a: [1, 2], b: Array<number>(5000).fill(1), c: { d: null } };
    expect(parse(asReceived({ result }), ['a', 'c', 'e'])).toEqual({ result: { a: [1, 2], c: { d: null } } });
    expect(parse(asReceived({ result: null }), ['a'])).toEqual({ result: null });
    expect(parse(asReceived({ result: [1] }), ['a'])).toEqual({ result: [1] });
    const error = { code: 1, message: 'm' };
    expect(parse(asReceived({ error }), ['a'])).toEqual({ error });
  });

  it('reads a long list in steps', () => {
    const hashes = Array.from({ length: 15_000 }, () => `0x${'ab'.repeat(32)}`);
    const response = asReceived({ result: { hashes } });
    expect(parse(response, ['hashes'])).toEqual({ result: { hashes } });
    expect([...parseNodeResponse(response, { members: ['hashes'] })].length).toBeGreaterThan(100);
  });

  it('reads an error that is large enough to be forwarded without parsing', () => {
    const error = { code: 3, message: 'execution reverted', data: `0x${'ab'.repeat(100_000)}` };
    const response = unread(JSON.stringify(error));
    expect(parse(response)).toEqual({ error });
  });

  it.each([
    [`{"data":"${'x'.repeat(20_000)}"}`, 'has an error without code and message'],
    [`{"code":1,"message":"m","data":[${'1,'.repeat(20_000)}1]}`, 'has more in it than is read'],
  ])('rejects a large error without code and message, or with too many values: %#', (text, reason) => {
    expect(() => parse(unread(text))).toThrow(new MalformedResponseError(reason));
  });

  it.each([
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['too many values', `[${'[],'.repeat(20_001)}[]]`],
    ['too long a list', `[${'1,'.repeat(2000)}1]`],
    [
      'too many different shapes of objects',
      `[${Array.from({ length: 1100 }, (_, i) => `{"a${i % 900}":1,"b${i}":1}`).join()}]`,
    ],
  ])('rejects %s', (_what, result) => {
    const response = asReceived({ result: JSON.parse(result) as unknown });
    expect(() => parse(response)).toThrow(new MalformedResponseError('has more in it than is read'));
  });
});
