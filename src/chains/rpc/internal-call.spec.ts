import { asReceived } from '../../../test/support/fake-nodes';
import { BytePieces } from '../../common/http/byte-pieces';
import { parseNodeResponse } from './internal-call';
import { MalformedResponseError } from './json-rpc';
import { type NodeContent, readNodeResponse } from './response/node-response';

/** The response with this error, as the transport reads it. */
const unread = (error: string): NodeContent => {
  const body = new BytePieces([Buffer.from(`{"id":1,"error":${error}}`)]);
  for (const reading = readNodeResponse(body, 1); ;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
};

describe('parseNodeResponse', () => {
  const log = { address: '0x1', topics: ['0x2', '0x3'], data: '0x', blockNumber: '0x4', removed: false };

  it.each([
    [{ result: '0x1' }],
    [{ result: null }],
    [{ result: { status: '0x1', logs: Array(400).fill(log) } }],
    [{ error: { code: -32000, message: 'header not found' } }],
  ])('reads values', (answer) => {
    expect(parseNodeResponse(asReceived(answer))).toEqual(answer);
  });

  it('reads an error that is passed on unread elsewhere', () => {
    const error = { code: 3, message: 'execution reverted', data: `0x${'ab'.repeat(100_000)}` };
    const response = unread(JSON.stringify(error));
    expect(parseNodeResponse(response)).toEqual({ error });
  });

  it.each([
    [`{"data":"${'x'.repeat(20_000)}"}`, 'has an error without code and message'],
    [`{"code":1,"message":"m","data":[${'1,'.repeat(20_000)}1]}`, 'has more in it than is read'],
  ])('does not read an error that is large and %#', (text, reason) => {
    expect(() => parseNodeResponse(unread(text))).toThrow(new MalformedResponseError(reason));
  });

  it.each([
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['too many values', `[${'[],'.repeat(20_001)}[]]`],
    ['too long a list', `[${'1,'.repeat(2000)}1]`],
    [
      'too many shapes of objects',
      `[${Array.from({ length: 1100 }, (_, i) => `{"a${i % 900}":1,"b${i}":1}`).join()}]`,
    ],
  ])('does not read %s', (_what, result) => {
    const response = asReceived({ result: JSON.parse(result) as unknown });
    expect(() => parseNodeResponse(response)).toThrow(
      new MalformedResponseError('has more in it than is read'),
    );
  });
});
