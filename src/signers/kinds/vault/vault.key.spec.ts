import { randomBytes } from 'node:crypto';
import { takeKey } from './vault.key';

const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const OTHER = '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const bytesOf = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const secretOf = (fields: unknown) => ({ request_id: 'x', data: { data: fields, metadata: { version: 3 } } });

describe('takeKey', () => {
  it.each([
    ['alone', { value: KEY }, KEY],
    ['with 0x', { value: `0x${KEY}` }, KEY],
    ['in upper case', { value: KEY.toUpperCase() }, KEY.toUpperCase()],
    ['among others', { a: OTHER, value: KEY, z: `0x${OTHER}` }, KEY],
    ['beside names of the same form', { [OTHER]: 1, value: KEY }, KEY],
    ['after a text that quotes it', { a: `"${OTHER}"`, value: KEY }, KEY],
    ['of decimal digits', { value: '7'.repeat(64) }, '7'.repeat(64)],
  ])('finds the key if it is %s', (_how, fields, key) => {
    expect(takeKey(bytesOf(secretOf(fields)))?.reveal()).toBe(key);
  });

  it('finds any one of many keys', () => {
    const keys = Array.from({ length: 50 }, () => randomBytes(32).toString('hex'));
    for (const [i, key] of keys.entries()) {
      const fields = Object.fromEntries(keys.map((other, k) => [k === i ? 'value' : `k${k}`, other]));
      expect(takeKey(bytesOf(secretOf(fields)))?.reveal()).toBe(key);
    }
  });

  it.each([
    ['nothing', {}],
    ['63 digits', { value: KEY.slice(1) }],
    ['65 digits', { value: `${KEY}0` }],
    ['no hex', { value: `g${KEY.slice(1)}` }],
    ['a character that differs from a digit in one bit', { value: `\u0010${KEY.slice(1)}` }],
    ['a number', { value: 7 }],
    ['an object', { value: { value: KEY } }],
    ['another field', { other: KEY }],
    ['null', null],
  ])('returns undefined for %s', (_what, fields) => {
    expect(takeKey(bytesOf(secretOf(fields)))).toBeUndefined();
  });

  it.each([
    ['html', '<html>'],
    ['nothing', ''],
    ['half of it', `{"data":{"data":{"value":"${KEY}"`],
  ])('throws a SyntaxError without the key for invalid JSON: %s', (_what, text) => {
    const thrown = (() => {
      try {
        return takeKey(bytesOf(text));
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(SyntaxError);
    expect(String(thrown)).not.toContain(KEY.slice(0, 8));
  });

  it('overwrites the bytes it was given', () => {
    const body = bytesOf(secretOf({ value: KEY, other: OTHER }));
    takeKey(body);
    expect(body.every((byte) => byte === 0)).toBe(true);
  });
});
