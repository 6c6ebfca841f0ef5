import { DomainError } from '../errors/domain-error';
import { DTO_LIMITS } from './json-limits';
import { parseStrictJson, readStrictJson } from './strict-json';

const ROUNDED =
  'is a number that JSON clients round (beyond 2^53-1 or over 15 digits): send it as a decimal string';

function faultOf(text: string): string {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('invalid_request');
    return error.detail;
  }
  throw new Error('the text was accepted');
}

/** An object whose fields have distinct names, beginning with `name${first}`. */
const objectOf = (fields: number, first = 0): string =>
  `{${Array.from({ length: fields }, (_, i) => `"name${first + i}" : ${i}`).join(',')}}`;

describe('parseStrictJson', () => {
  it.each([
    [
      'an object',
      '{"a":1,"b":[true,false,null],"c":{"d":"x"}}',
      { a: 1, b: [true, false, null], c: { d: 'x' } },
    ],
    ['white space', ' \n\t{ "a" :\r 1 } ', { a: 1 }],
    ['a bare scalar', '"text"', 'text'],
    [
      'the same name in different objects',
      '{"a":{"x":1},"b":{"x":2},"x":3}',
      { a: { x: 1 }, b: { x: 2 }, x: 3 },
    ],
    ['the same name in the objects of a list', '[{"x":1},{"x":1}]', [{ x: 1 }, { x: 1 }]],
    ['a name that is also a value', '{"a":"b","b":"a"}', { a: 'b', b: 'a' }],
    [
      'names and values that contain JSON punctuation',
      '{"{\\"a\\":[1,":"}],:\\\\","b":"\\""}',
      { '{"a":[1,': '}],:\\', b: '"' },
    ],
    ['a value that ends in a backslash', '{"a":"\\\\","b":1}', { a: '\\', b: 1 }],
    ['digits in a string', '{"a":"9007199254740993"}', { a: '9007199254740993' }],
    ['a prototype name as a value', '{"a":"__proto__"}', { a: '__proto__' }],
    ['a surrogate pair, escaped', '{"a":"\\ud83d\\ude00"}', { a: '😀' }],
    ['a surrogate pair, written out', '{"a":"😀"}', { a: '😀' }],
    ['empty containers', '{"a":{},"b":[]}', { a: {}, b: [] }],
  ])('accepts %s', (_what, text, value) => {
    expect(parseStrictJson(text)).toEqual(value);
  });

  it.each(['', ' ', '{', '{"a":1,}', "{'a':1}", '{a:1}', '[1,]', '{"a":01}', '{"a":+1}', '{"a":NaN}', 'nul'])(
    'refuses %j as malformed',
    (text) => {
      expect(faultOf(text)).toBe('the request body is not valid JSON');
    },
  );

  it.each([
    ['{"a":1,"a":2}', 'a is given more than once'],
    ['{"a":1,"a":1}', 'a is given more than once'],
    ['{"name":1,"n\\u0061me":2}', 'name is given more than once'],
    ['{"policies":{"min_balance":1,"x":{},"min_balance":2}}', 'policies.min_balance is given more than once'],
    ['[{"url":1},{"url":1,"url":2}]', '[1].url is given more than once'],
    ['{"a":[{"b":1},{"c":[0,{"d":1,"d":1}]}]}', 'a[1].c[1].d is given more than once'],
    ['{"a":[],"b":{"c":1},"a":0}', 'a is given more than once'],
    ['{"":1,"":2}', '"" is given more than once'],
    ['{"}":1,"}":2}', '} is given more than once'],
  ])('refuses the repeated name of %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it.each([
    ['{"__proto__":{"admin":true}}', '__proto__ is not allowed as a field name'],
    ['{"policies":{"constructor":1}}', 'policies.constructor is not allowed as a field name'],
    ['{"toString":1}', 'toString is not allowed as a field name'],
    ['{"policies":{"hasOwnProperty":null}}', 'policies.hasOwnProperty is not allowed as a field name'],
    ['[{"prototype":1}]', '[0].prototype is not allowed as a field name'],
    ['{"\\u005f_proto__":1}', '__proto__ is not allowed as a field name'],
  ])('refuses the prototype name of %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['0', 0],
    ['-0', -0],
    ['1.5', 1.5],
    ['1.0', 1],
    ['1e3', 1000],
    ['0.1', 0.1],
    ['0e-999', 0],
    ['0.0', 0],
    ['9.00719925474099e15', 9007199254740990],
  ])('accepts the number %s', (text, value) => {
    expect(parseStrictJson(`{"a":${text}}`)).toEqual({ a: value });
  });

  it.each([
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '1e30',
    '-1E30',
    '9007199254740991.4',
    '9007199254740992.0',
    '0.1234567890123456789',
    '1e400',
    '-1e400',
    '1e-400',
    '99999999999999999999999999999999999999',
  ])('refuses the number %s', (text) => {
    expect(faultOf(`{"policies":{"eip1559_pricing":true,"min_balance":${text}}}`)).toBe(
      `policies.min_balance ${ROUNDED}`,
    );
  });

  it.each([
    ['{"custom_rpc_urls":[{"weight":1},{"weight":1e30}]}', 'custom_rpc_urls[1].weight'],
    ['{"a":[1,[2,1e30]]}', 'a[1][1]'],
    ['{"a":{"b":[{}]},"c":1e30}', 'c'],
    ['[0,1e30]', '[1]'],
    ['1e30', 'the request body'],
    [`{"${'n'.repeat(70)}":1e30}`, 'n'.repeat(64)],
  ])('reports the position of the number in %s', (text, path) => {
    expect(faultOf(text)).toBe(`${path} ${ROUNDED}`);
  });

  it.each([
    ['{"a":"\\ud800"}', 'a holds an unpaired surrogate'],
    ['{"a":["x","\\ude00\\ud83d"]}', 'a[1] holds an unpaired surrogate'],
    ['{"a":{"\\udfff":1}}', 'a.? holds an unpaired surrogate'],
    ['{"x":1,"\\ud800":2}', '? holds an unpaired surrogate'],
  ])('refuses the unpaired surrogate of %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('accepts 64 levels and refuses 65', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseStrictJson(nested(64))).toHaveLength(1);
    expect(faultOf(nested(65))).toBe('the request body nests deeper than 64 levels');
    expect(faultOf(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toBe(
      'the request body nests deeper than 64 levels',
    );
  });

  it('counts depth rather than containers', () => {
    expect(parseStrictJson(`[${Array(100).fill('[{}]').join(',')}]`)).toHaveLength(100);
  });

  it.each([
    ['closed', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['open', '['.repeat(500_000)],
    ['objects', '{"a":'.repeat(200_000)],
  ])('survives half a million brackets (%s)', (_what, text) => {
    expect(faultOf(text)).toBe('the request body nests deeper than 64 levels');
  });

  const MEBIBYTE = 1024 * 1024;

  it.each([
    ['one string', `{"a":"${'x'.repeat(MEBIBYTE - 8)}"}`],
    ['one string of escapes', `{"a":"${'\\\\'.repeat(MEBIBYTE / 2 - 4)}"}`],
    ['one string of escaped quotes', `{"a":"${'\\"'.repeat(MEBIBYTE / 2 - 4)}"}`],
    ['one number', `{"a":"${'9'.repeat(MEBIBYTE - 8)}"}`],
    ['many fields', `[${Array.from({ length: 5 }, () => objectOf(10_000)).join(',')}]`],
    ['many items', `[${'123456789,'.repeat(99_998)}1]`],
  ])('parses a body of 1 MiB quickly: %s', (_what, text) => {
    const begin = process.cpuUsage();
    parseStrictJson(text);
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(3);
  });

  it.each([
    ['numbers', '1'],
    ['texts', '""'],
    ['literals', 'null'],
    ['lists', '[]'],
    ['objects', '{}'],
  ])('refuses more than 100 000 values: %s', (_what, value) => {
    const text = (count: number) => `[${Array<string>(count).fill(value).join(',')}]`;
    expect(faultOf(text(100_000))).toBe('the request body has more than 100000 values');
    expect(parseStrictJson(text(99_999))).toHaveLength(99_999);
  });

  it.each([
    ['values side by side', `[${'{},'.repeat(300_000)}{}]`, 'has more than 100000 values'],
    [
      'lists of 60 levels',
      `[${`${'['.repeat(60)}${']'.repeat(60)},`.repeat(8_000)}1]`,
      'has more than 100000 values',
    ],
    ['levels', '['.repeat(500_000) + ']'.repeat(500_000), 'nests deeper than 64 levels'],
    ['different names', objectOf(10_001), 'has more than 10000 different sequences of field names'],
    [
      'ways to go on',
      `[${Array.from({ length: 1_501 }, (_, i) => `{"type":"x","name${i}":1}`).join(',')}]`,
      'has objects that begin alike and continue with more than 1500 different names: send fewer of them at once',
    ],
    [
      'sequences of few names',
      `[${Array.from({ length: 200 }, (_, i) => objectOf(100, i)).join(',')}]`,
      'has more than 10000 different sequences of field names',
    ],
    ['fields', `[${'{"a":1},'.repeat(50_000)}{"a":1}]`, 'has more than 50000 fields'],
    ['values after a text', `["\\"",${'{},'.repeat(300_000)}{}]`, 'has more than 100000 values'],
  ])('refuses far too many %s without parsing them', (_what, text, fault) => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect(faultOf(text)).toBe(`the request body ${fault}`);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it('parses DTO bodies within their own limits', () => {
    const read = (text: string): unknown => {
      const reading = readStrictJson(text, DTO_LIMITS);
      for (;;) {
        const step = reading.next();
        if (step.done) return step.value;
      }
    };
    const tokens = (count: number) =>
      JSON.stringify({ tokens: Array(count).fill({ mint: 'x', swap: { a: 1, b: 2, c: 3, d: [1, 2] } }) });
    expect(read(tokens(1000))).toHaveProperty('tokens');
    expect(() => read(tokens(2500))).toThrow('Bad Request');
    expect(() => read(objectOf(2_000))).toThrow('Bad Request');
    const list = (count: number) => `{"a":[${Array(count).fill('{"url":"a"}').join()}]}`;
    expect(read(list(2_000))).toHaveProperty('a');
    expect(() => read(list(2_001))).toThrow('Bad Request');
    expect(() => read(`[${Array(20_000).fill('1').join(',')}]`)).toThrow('Bad Request');
  });

  it('counts names rather than string values', () => {
    const texts = Array.from({ length: 60_000 }, (_, i) => `:text ${i}:`);
    expect(parseStrictJson(JSON.stringify({ a: texts }))).toEqual({ a: texts });
    expect(Object.keys(parseStrictJson(objectOf(10_000)) as object)).toHaveLength(10_000);
  });

  it('ignores JSON punctuation inside strings', () => {
    const text = '[{,'.repeat(100_000);
    expect(parseStrictJson(JSON.stringify({ a: text, b: `"${text}` }))).toEqual({ a: text, b: `"${text}` });
    expect(faultOf(`["${text}`)).toBe('the request body is not valid JSON');
  });

  it('quickly refuses a number of a million digits', () => {
    expect(faultOf(`{"a":${'9'.repeat(MEBIBYTE)}}`)).toBe(`a ${ROUNDED}`);
    expect(faultOf(`{"a":1e${'9'.repeat(MEBIBYTE)}}`)).toBe(`a ${ROUNDED}`);
  });
});
