import { BytePieces } from '../../../common/http/byte-pieces';
import { resultOf } from '../../../../test/support/steps';
import { MalformedResponseError } from '../json-rpc';
import { readNodeBatch } from './node-batch';
import type { NodeContent } from './node-response';

const IDS = [7, 8, 9];

/** @param pieceBytes the size of the pieces in which the body arrives */
function read(text: string, pieceBytes = Infinity): NodeContent[] | undefined {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += pieceBytes)
    pieces.push(bytes.subarray(start, start + pieceBytes));
  return resultOf(readNodeBatch(new BytePieces(pieces), IDS));
}

const textsOf = (contents: NodeContent[] | undefined): string[] | undefined =>
  contents?.map((content) => ('error' in content ? content.error : content.result).toString());

const SEVEN = '{"id":7,"result":"a"}';
const EIGHT = '{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"m"}}';
const NINE = '{"result":{"b":[1,2]},"id":9,"error":null}';

describe('readNodeBatch', () => {
  it.each([
    `[${SEVEN},${EIGHT},${NINE}]`,
    `[${NINE},${SEVEN},${EIGHT}]`,
    ` \n[ ${EIGHT} ,\t${NINE}, ${SEVEN} ]\n`,
  ])('returns the responses in the order of the calls: %s', (text) => {
    for (const pieceBytes of [Infinity, 1, 7])
      expect(textsOf(read(text, pieceBytes))).toEqual(['"a"', '{"code":1,"message":"m"}', '{"b":[1,2]}']);
    expect(read(text)?.[1]).toMatchObject({ content: { code: 1, message: 'm' } });
  });

  it.each([
    '',
    ' ',
    SEVEN,
    'null',
    '7',
    '"["',
    '<html>',
    '{"id":null,"error":{"code":-32600,"message":"m"}}',
  ])('returns undefined for %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it.each([
    ['[]', 'lacks the response to a call'],
    [`[${SEVEN},${EIGHT}]`, 'lacks the response to a call'],
    [`[${SEVEN},${EIGHT},${EIGHT}]`, 'has an id of no call, or one twice'],
    [`[${SEVEN},${EIGHT},${NINE},${NINE}]`, 'has too many items'],
    [`[${SEVEN},${EIGHT},{"id":10,"result":1}]`, 'has an id of no call, or one twice'],
    [`[${SEVEN},${EIGHT},{"id":"9","result":1}]`, 'has an id of no call, or one twice'],
    [
      `[${SEVEN},${EIGHT},{"id":null,"error":{"code":1,"message":"m"}}]`,
      'has an id of no call, or one twice',
    ],
    [`[${SEVEN},${EIGHT},{"id":9}]`, 'has neither result nor error'],
    [`[${SEVEN},${EIGHT},{"id":9,"error":"busy"}]`, 'has an error without code and message'],
    [`[${SEVEN},${EIGHT},null]`, 'is not a JSON object'],
    [`[${SEVEN},${EIGHT},[]]`, 'is not a JSON object'],
    [`[${SEVEN},${EIGHT},9]`, 'is not a JSON object'],
    [`[${SEVEN},${EIGHT},${NINE}`, 'is not JSON'],
    [`[${SEVEN},${EIGHT} ${NINE}]`, 'is not JSON'],
    [`[${SEVEN},${EIGHT},${NINE}]x`, 'is not JSON'],
    ['[<html>', 'is not JSON'],
  ])('refuses %s', (text, reason) => {
    for (const pieceBytes of [Infinity, 1])
      expect(() => read(text, pieceBytes)).toThrow(new MalformedResponseError(reason));
  });

  it('yields while it reads a long batch', () => {
    const long = `{"id":9,"result":"${'x'.repeat(1024 * 1024)}"}`;
    const body = new BytePieces([Buffer.from(`[${SEVEN},${EIGHT},${long}]`)]);
    expect([...readNodeBatch(body, IDS)].length).toBeGreaterThan(100);
  });
});
