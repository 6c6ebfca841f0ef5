import { BytePieces } from '../../../common/http/byte-pieces';
import { MalformedResponseError } from '../json-rpc';
import { isInBody, type NodeContent, readNodeResponse } from './node-response';

const MEBIBYTE = 1024 * 1024;

/** @param pieceBytes the size of the pieces in which the body arrives */
function read(text: string | Buffer, pieceBytes = Infinity): NodeContent {
  const bytes = Buffer.from(text as string);
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += pieceBytes)
    pieces.push(bytes.subarray(start, start + pieceBytes));
  const reading = readNodeResponse(new BytePieces(pieces), 7);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

const textOf = (content: NodeContent): string =>
  'error' in content ? `error ${content.error.toString()}` : content.result.toString();

describe('readNodeResponse', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":"0x1"}', '"0x1"'],
    ['{"id":7,"result":null}', 'null'],
    ['{"id":7,"result": 9007199254740993 }', '9007199254740993'],
    ['{"id":7,"result":1.10e+01}', '1.10e+01'],
    ['{"id":7,"result":[],"error":null}', '[]'],
    ['{"id":7.0,"result":{"__proto__":1,"a":1,"a":2}}', '{"__proto__":1,"a":1,"a":2}'],
    [' {"id":7,"result":1,"node":"x"}\n', '1'],
    ['{"\\u0069d":7,"r\\u0065sult":"escaped"}', '"escaped"'],
    ['{"id":7,"result":"\\u00e9 \\ud83d\\ude00"}', '"\\u00e9 \\ud83d\\ude00"'],
    ['{"id":7,"error":{"code":-32000, "message":"m"}}', 'error {"code":-32000, "message":"m"}'],
    ['{"id":7,"result":1,"error":{"code":3,"message":""}}', 'error {"code":3,"message":""}'],
    ['{"id":null,"error":{"code":-32700,"message":"m"}}', 'error {"code":-32700,"message":"m"}'],
    ['{"error":{"code":-32700,"message":"m"}}', 'error {"code":-32700,"message":"m"}'],
  ])('returns the result or the error of %s byte for byte', (text, found) => {
    for (const pieceBytes of [Infinity, 1, 5]) expect(textOf(read(text, pieceBytes))).toBe(found);
  });

  it('reads only the members of an error that JSON-RPC defines', () => {
    const error = { code: 3, message: 'reverted', data: '0x08C379a0', stack: 'at' };
    expect(read(JSON.stringify({ id: 7, error }))).toMatchObject({
      content: { code: 3, message: 'reverted', data: '0x08C379a0' },
    });
  });

  it('passes on a large error without parsing it', () => {
    const error = JSON.stringify({ code: 3, message: 'reverted', data: `0x${'ab'.repeat(10_000)}` });
    const content = read(`{"id":7,"error":${error}}`);
    expect(content).toMatchObject({ content: { code: 0, message: '' } });
    expect(textOf(content)).toBe(`error ${error}`);
    expect(() => read(`{"id":7,"error":"${'x'.repeat(20_000)}"}`)).toThrow(
      new MalformedResponseError('has an error without code and message'),
    );
  });

  it('copies small parts out of the body, and leaves large ones in it', () => {
    const junk = 'x'.repeat(MEBIBYTE);
    const small = read(`{"id":7,"result":"0x1","junk":"${junk}"}`, 100_000);
    expect([isInBody(small), textOf(small)]).toEqual([false, '"0x1"']);
    const [piece] = 'result' in small ? small.result.pieces : [];
    expect(piece?.buffer.byteLength).toBeLessThan(MEBIBYTE);
    const large = read(`{"id":7,"result":"${junk}"}`, 100_000);
    expect([isInBody(large), textOf(large) === `"${junk}"`]).toEqual([true, true]);
  });

  it.each([
    ['', 'is not JSON'],
    ['<html><body>502 Bad Gateway</body></html>', 'is not JSON'],
    ['{"jsonrpc":"2.0","id":7,"resu', 'is not JSON'],
    ['{"id":7,"result":1}{"id":7,"result":1}', 'is not JSON'],
    ['{"id":7,"result":1}x', 'is not JSON'],
    ['{"id":7,"result":NaN}', 'is not JSON'],
    ['{"id":7,"result":"\\ud800"}', 'is not JSON'],
    [Buffer.from([0xff, 0xfe, 0x00]), 'is not JSON'],
    [Buffer.from('{"id":7,"result":"\xe9"}', 'latin1'), 'is not JSON'],
    ['7', 'is not a JSON object'],
    ['"0x1"', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['[{"id":7,"result":1}]', 'is not a JSON object'],
    ['{"id":7,"id":7,"result":1}', 'has more than one id'],
    ['{"id":7,"result":1,"result":2}', 'has more than one result'],
    ['{"id":7,"result":1,"re\\u0073ult":2}', 'has more than one result'],
    ['{"id":7,"error":null,"error":null,"result":1}', 'has more than one error'],
    ['{"id":8,"result":1}', 'has another id than the call'],
    ['{"id":"7","result":1}', 'has another id than the call'],
    ['{"id":null,"result":1}', 'has another id than the call'],
    ['{"result":1}', 'has another id than the call'],
    [`{"id":7${' '.repeat(40)}.0,"result":1}`, 'is not JSON'],
    [`{"id":7.${'0'.repeat(40)},"result":1}`, 'has another id than the call'],
    ['{"id":8,"error":{"code":1,"message":"m"}}', 'has another id than the call'],
    [`{"id":"${'x'.repeat(40)}","error":{"code":1,"message":"m"}}`, 'has another id than the call'],
    ['{"id":7}', 'has neither result nor error'],
    ['{"id":7,"error":null}', 'has neither result nor error'],
    ['{"id":7,"error":"rate limited"}', 'has an error without code and message'],
    ['{"id":7,"error":false}', 'has an error without code and message'],
    ['{"id":7,"error":{"message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":"1","message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":1.5,"message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":1e300,"message":"m"}}', 'has an error without code and message'],
    ['{"id":7,"error":{"code":1,"message":["m"]}}', 'has an error without code and message'],
  ])('rejects %s', (text, fault) => {
    expect(() => read(text)).toThrow(new MalformedResponseError(fault));
  });

  it('yields after every 16 KiB', () => {
    const text = `{"id":7,"result":"${'x'.repeat(MEBIBYTE)}"}`;
    expect([...readNodeResponse(new BytePieces([Buffer.from(text)]), 7)]).toHaveLength(64);
    expect([...readNodeResponse(new BytePieces([Buffer.from('{"id":7,"result":1}')]), 7)]).toEqual([]);
  });
});
