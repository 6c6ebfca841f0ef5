import { DomainError } from '../../common/errors/domain-error';
import { findSyntaxError, parseJsonFile } from './json-file';

function faultOf(content: string | Buffer): string {
  try {
    parseJsonFile(content);
  } catch (error) {
    if (error instanceof DomainError) return error.detail;
    throw error;
  }
  return 'none';
}

describe('parseJsonFile', () => {
  it.each([
    ['an empty file', '', 1, 1],
    ['white space', ' \n ', 2, 2],
    ['a missing end', '{\n  "a": [1\n', 3, 1],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['an extra comma', '{\n  "a": [1, 2,],\n}', 2, 14],
    ['a comma before the end', '{\n  "a": 1,\n}', 3, 1],
    ['a comment', '{\n  // keys\n}', 2, 3],
    ['a name without quotes', '{a: 1}', 1, 2],
    ['single quotes', "{'a': 1}", 1, 2],
    ['a missing quote', '{\n  "a": "secret,\n  "b": 1\n}', 2, 8],
    ['an unknown escape', '{"a": "\\x"}', 1, 7],
    ['the wrong bracket', '{"a": [1}', 1, 9],
    ['an extra value', '{}\n{}', 2, 1],
    ['a number with a leading zero', '{"a": 01}', 1, 8],
    ['a value that JSON does not have', '{"a": NaN}', 1, 7],
    ['Windows line endings', '{\r\n  "a": 1,\r\n  b\r\n}', 3, 3],
    ['a byte order mark', '\uFEFF{a: 1}', 1, 2],
  ])('reports the position of the fault: %s', (_what, text, line, column) => {
    expect(faultOf(text)).toBe(`the file is not valid JSON: line ${line}, column ${column}`);
  });

  it('refuses bytes that are not UTF-8, instead of replacing characters of names and secrets', () => {
    const latin1 = Buffer.from('{"a":"caf\xe9"}', 'latin1');
    expect(() => parseJsonFile(latin1)).toThrow(DomainError);
    expect(faultOf(latin1)).toBe('the file is not valid UTF-8');
    expect(parseJsonFile(Buffer.from('\uFEFF{"a":"café"}'))).toEqual({ a: 'café' });
  });

  it('reports other faults as faults of a file', () => {
    expect(faultOf(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe('the file nests deeper than 64 levels');
    expect(faultOf('{"a":1,"a":2}')).toBe('a is given more than once');
  });

  it('returns the content of the file', () => {
    expect(parseJsonFile('\uFEFF{"a":[1,"b"]}')).toEqual({ a: [1, 'b'] });
  });
});

describe('findSyntaxError', () => {
  const DOCUMENT = '{"a": [1, -0.5e+3, "b\\u00e9\\n", true, false, null, {}, []], "c": {"d": "é"}}';

  it('agrees with JSON.parse on every deletion, insertion and replacement of a character', () => {
    const texts = Array.from({ length: DOCUMENT.length + 1 }, (_, i) => [
      DOCUMENT.slice(0, i),
      DOCUMENT.slice(0, i) + DOCUMENT.slice(i + 1),
      ...Array.from('{}[],:"\\-+.0e tu\n\u0000\u007f').flatMap((char) => [
        DOCUMENT.slice(0, i) + char + DOCUMENT.slice(i),
        DOCUMENT.slice(0, i) + char + DOCUMENT.slice(i + 1),
      ]),
    ]).flat();
    const disagreeing = texts.filter((text) => isJson(text) !== (findSyntaxError(text) === undefined));
    expect(disagreeing).toEqual([]);
    expect(findSyntaxError(DOCUMENT)).toBeUndefined();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
