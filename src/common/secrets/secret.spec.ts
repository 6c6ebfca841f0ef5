import { format, inspect } from 'node:util';
import { Secret } from './secret';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  it('reveals its text on request', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each([
    ['toString', () => secret.toString(), '[redacted]'],
    ['String', () => String(secret), '[redacted]'],
    ['a template', () => `key=${secret.toString()}`, 'key=[redacted]'],
    ['concatenation', () => ['key='].concat(secret as never).join(''), 'key=[redacted]'],
    ['join', () => [secret].join(), '[redacted]'],
    ['JSON', () => JSON.stringify(secret), '"[redacted]"'],
    [
      'JSON of an object that contains it',
      () => JSON.stringify({ a: [{ secret }] }),
      '{"a":[{"secret":"[redacted]"}]}',
    ],
    ['inspection', () => inspect(secret), '[redacted]'],
    [
      'inspection of an object that contains it',
      () => inspect({ a: { b: { secret } } }, { depth: 9 }),
      '[redacted]',
    ],
    [
      'inspection with hidden members',
      () => inspect(secret, { showHidden: true, getters: true }),
      '[redacted]',
    ],
    ['%s', () => format('%s', secret), '[redacted]'],
    ['%o', () => format('%o', secret), '[redacted]'],
    ['%j', () => format('%j', secret), '"[redacted]"'],
  ])('is not revealed by %s', (_how, show, shown) => {
    expect(show()).toContain(shown);
    expect(show()).not.toContain('hunter2');
  });

  it('passes its bytes to the callback', () => {
    expect(new Secret('kläy').use((bytes) => bytes.toString('hex'))).toBe('6b6cc3a479');
    expect(new Secret('').use((bytes) => bytes.length)).toBe(0);
  });

  it('shares no memory with other buffers', () => {
    const shared = new Secret('a').use(
      (bytes) => bytes.buffer === new Secret('b').use((other) => other.buffer),
    );
    expect(shared).toBe(false);
  });

  it('overwrites its bytes when destroyed and throws on later use', () => {
    const bytes = Buffer.from('hunter2');
    const destroyed = new Secret(bytes);
    expect(destroyed.reveal()).toBe('hunter2');
    destroyed.destroy();
    destroyed.destroy();
    expect(bytes).toEqual(Buffer.alloc(7));
    expect(() => destroyed.reveal()).toThrow('The secret was destroyed');
    expect(() => {
      destroyed.use(() => undefined);
    }).toThrow('The secret was destroyed');
  });

  it('has no property that holds its text', () => {
    expect(Object.keys(secret)).toEqual([]);
    expect(Reflect.ownKeys(secret)).toEqual([]);
  });

  it('is not revealed by the message of a failed assertion', () => {
    const failure = (): void => {
      expect(secret).toBe('something else');
    };
    expect(failure).toThrow(/^(?!.*hunter2)/s);
  });
});
