import { SeededRandom } from '../../../../test/support/seeded-random';
import { JsonScanError, JsonScanner } from './json-scanner';
import { rounds } from '../../../../test/support/rounds';

const DAMAGED = rounds(20_000, 4000);

/** Scans a text in pieces of at most this many bytes. */
function scan(text: string | Buffer, pieceBytes = Infinity): JsonScanner {
  const bytes = Buffer.from(text as string);
  const scanner = new JsonScanner();
  for (let start = 0; start < bytes.length; start += pieceBytes)
    scanner.write(bytes.subarray(start, start + pieceBytes));
  scanner.end();
  return scanner;
}

const faultOf = (text: string | Buffer, pieceBytes?: number): string | undefined => {
  try {
    scan(text, pieceBytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    return error.message;
  }
};

const accepts = (text: string | Buffer): boolean => {
  const faults = [Infinity, 1, 3].map((pieceBytes) => faultOf(text, pieceBytes));
  expect(new Set(faults).size).toBe(1);
  return faults[0] === undefined;
};

const NOT_JSON = [
  '',
  ' ',
  '{',
  '[',
  '"',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{,"a":1}',
  '{"a" 1}',
  '{"a"::1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1]]',
  '{}}',
  '[}',
  '{]',
  '[1}',
  '{"a":1]',
  '1 2',
  '{} {}',
  '[]x',
  'tru',
  'truE',
  'nulll',
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '-',
  '+1',
  '01',
  '-01',
  '1.',
  '.1',
  '1e',
  '1e+',
  '0x1',
  '1_000',
  '--1',
  '1e1.5',
  '"a',
  '"\\x41"',
  '"\\u12"',
  '"\\u12g4"',
  '"\n"',
  '"\t"',
  '"\u0000"',
  '// comment\n1',
  '/* */1',
  '\uFEFF{}',
  '\u00a0{}',
  '<html>',
];

const JSON_TEXTS = [
  '0',
  '-0',
  '-0.0e-0',
  '1E+400',
  '9007199254740993',
  '1.5e3',
  'true',
  'false',
  'null',
  '""',
  '"\\u0041\\/\\b\\f\\n\\r\\t\\\\\\""',
  '"\\uD83D\\uDE00"',
  '"\u2028\u2029\u007f"',
  '"é€😀\uffff\u{10ffff}"',
  '[]',
  '{}',
  '[[],{},[{}]]',
  ' \t\r\n[ 1 , 2 ]\n',
  '{"a":{"a":1},"a":[{"b":null}]}',
  '{"":0}',
];

describe('JsonScanner', () => {
  it.each(JSON_TEXTS)('accepts %j', (text) => {
    expect(accepts(text)).toBe(true);
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(NOT_JSON)('rejects %j', (text) => {
    expect(accepts(text)).toBe(false);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  it.each([
    '"\\ud83d"',
    '"\\ude00"',
    '"\\ud83d\\u0041"',
    '"\\ud83dx"',
    '"\\ud83d\\n"',
    '"\\ud83d\\ud83d"',
    '{"\\udfff":1}',
  ])('rejects the unpaired surrogate in %s, on which parsers disagree', (text) => {
    expect(accepts(text)).toBe(false);
  });

  it('validates UTF-8 as a strict decoder does, for all lead bytes', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const tails = [[], [0x7f], [0x80], [0x8f], [0x90], [0x9f], [0xa0], [0xbf], [0xc0]];
    const two = tails.flatMap((first) => tails.map((second) => [...first, ...second]));
    const three = two.flatMap((first) => [[], [0x80], [0x41]].map((second) => [...first, ...second]));
    const wrong: string[] = [];
    for (let lead = 0x80; lead <= 0xff; lead += 1) {
      for (const tail of three) {
        const bytes = Buffer.from([0x22, lead, ...tail, 0x22]);
        let isUtf8 = true;
        try {
          decoder.decode(bytes);
        } catch {
          isUtf8 = false;
        }
        if (accepts(bytes) !== isUtf8) wrong.push(bytes.toString('hex'));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('rejects non-ASCII characters outside of strings, and UTF-16', () => {
    expect(accepts('{"a":é}')).toBe(false);
    expect(accepts(Buffer.from('{"a":1}', 'utf16le'))).toBe(false);
  });

  it('agrees with JSON.parse on damaged documents', () => {
    const random = new SeededRandom('damaged JSON');
    const pick = (count: number): number => random.below(count);
    const sources = JSON_TEXTS.concat(['{"jsonrpc":"2.0","id":7,"result":[1.5e-7,{"a":"\\u00e9"},null]}']);
    const signs = '{}[]",:.0123456789eE+-\\/utrfalsn \n';
    let taken = 0;
    for (let i = 0; i < DAMAGED; i += 1) {
      let text = sources[pick(sources.length)]!;
      for (let change = pick(4); change >= 0; change -= 1) {
        const at = pick(text.length + 1);
        text = text.slice(0, at) + (signs[pick(signs.length)] ?? '') + text.slice(at + pick(2));
      }
      // An unpaired surrogate cannot be encoded in UTF-8.
      if (!text.isWellFormed()) continue;
      const valid = isValid(text);
      if (valid) taken += 1;
      expect([text, faultOf(text, 1 + pick(8)) === undefined]).toEqual([text, valid]);
    }
    expect(taken).toBeGreaterThan(DAMAGED / 20);
  });

  it('finds the members of the outermost object only', () => {
    const text = ' { "a" : [1,{"b":2}] ,"\\u0062":-1.5e3, "c":{"d":{}},"e":"\\"x\\"" , "f":null}';
    const parts = scan(text, 2).members.map(({ nameStart, nameEnd, valueStart, valueEnd }) => [
      text.slice(nameStart, nameEnd),
      text.slice(valueStart, valueEnd),
    ]);
    expect(parts).toEqual([
      ['"a"', '[1,{"b":2}]'],
      ['"\\u0062"', '-1.5e3'],
      ['"c"', '{"d":{}}'],
      ['"e"', '"\\"x\\""'],
      ['"f"', 'null'],
    ]);
    expect(scan('[{"a":1}]').members).toEqual([]);
  });

  it('accepts up to 2500 levels and 32 members', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(faultOf(nested(2500))).toBeUndefined();
    expect(faultOf(nested(2501))).toBe('nests too deep');
    expect(faultOf('{"a":'.repeat(2_000_000))).toBe('nests too deep');
    const members = (count: number) => `{${Array(count).fill('"a":{"b":[1,2]}').join()}}`;
    expect(faultOf(members(32))).toBeUndefined();
    expect(faultOf(members(33))).toBe('has too many members');
    expect(faultOf(`{"a":${members(100)}}`)).toBeUndefined();
  });
});

/** The reference: `JSON.parse`, and no string with an unpaired surrogate. */
function isValid(text: string): boolean {
  try {
    return isWellFormed(JSON.parse(text));
  } catch {
    return false;
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}
