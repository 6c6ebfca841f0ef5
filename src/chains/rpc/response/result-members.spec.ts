import { BytePieces } from '../../../common/http/byte-pieces';
import { resultOf } from '../../../../test/support/steps';
import { MalformedResponseError } from '../json-rpc';
import { resultMembers } from './result-members';

const read = (text: string, names: string[]): Record<string, string> | undefined => {
  const bytes = Buffer.from(text);
  const members = resultOf(resultMembers(new BytePieces([bytes.subarray(0, 3), bytes.subarray(3)]), names));
  return members && Object.fromEntries(Array.from(members, ([name, value]) => [name, value.toString()]));
};

describe('resultMembers', () => {
  it('returns only the members with the given names', () => {
    const text = '{"a":1, "b": [ {"c":2} ] ,"c":"x","toString":0,"\\u0064":null}';
    expect(read(text, ['b', 'c', 'd', 'e'])).toEqual({ b: '[ {"c":2} ]', c: '"x"', d: 'null' });
    expect(read('{}', ['a'])).toEqual({});
  });

  it.each(['null', '"text"', '[{"a":1}]', '12345'])('returns undefined for %s', (text) => {
    expect(read(text, ['a'])).toBeUndefined();
  });

  it('ignores other members, even many or large ones', () => {
    const logs = `[${Array(5000).fill('{"data":"0x"}').join()}]`;
    expect(read(`{"logs":${logs},"${'n'.repeat(1000)}":1,"status":"0x1"}`, ['status'])).toEqual({
      status: '"0x1"',
    });
    const many = Array.from({ length: 127 }, (_, i) => `"m${i}":0`).join();
    expect(read(`{${many},"a":1}`, ['a'])).toEqual({ a: '1' });
  });

  it.each([
    ['{"a":1,"a":2}', 'has more than one a'],
    [`{${Array.from({ length: 129 }, (_, i) => `"m${i}":0`).join()}}`, 'has too many members'],
  ])('refuses %.40s', (text, reason) => {
    expect(() => read(text, ['a'])).toThrow(new MalformedResponseError(reason));
  });
});
