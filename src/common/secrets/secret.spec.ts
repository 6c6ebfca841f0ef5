import { format, inspect } from 'node:util';
import { Secret } from './secret';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  it('reveals its text to who asks for it', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each([
    ['toString', () => secret.toString(), '[redacted]'],
    ['String', () => String(secret), '[redacted]'],
    ['a template', () => `key=${secret.toString()}`, 'key=[redacted]'],
    ['concatenation', () => ['key='].concat(secret as never).join(''), 'key=[redacted]'],
    ['join', () => [secret].join(), '[redacted]'],
    ['JSON', () => JSON.stringify(secret), '"[redacted]"'],
    ['JSON of what holds it', () => JSON.stringify({ a: [{ secret }] }), '{"a":[{"secret":"[redacted]"}]}'],
    ['inspection', () => inspect(secret), '[redacted]'],
    ['inspection of what holds it', () => inspect({ a: { b: { secret } } }, { depth: 9 }), '[redacted]'],
    [
      'inspection with hidden members',
      () => inspect(secret, { showHidden: true, getters: true }),
      '[redacted]',
    ],
    ['%s', () => format('%s', secret), '[redacted]'],
    ['%o', () => format('%o', secret), '[redacted]'],
    ['%j', () => format('%j', secret), '"[redacted]"'],
  ])('is not shown by %s', (_how, show, shown) => {
    expect(show()).toContain(shown);
    expect(show()).not.toContain('hunter2');
  });

  it('has no member that holds its text', () => {
    expect(Object.keys(secret)).toEqual([]);
    expect(Reflect.ownKeys(secret)).toEqual([]);
  });

  it('is not shown by the error of a failed assertion', () => {
    const failure = (): void => {
      expect(secret).toBe('something else');
    };
    expect(failure).toThrow(/^(?!.*hunter2)/s);
  });
});
