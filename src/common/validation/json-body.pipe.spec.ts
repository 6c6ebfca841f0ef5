import { EventLoopTurns } from '../event-loop/event-loop-turns';
import { JsonBodyPipe } from './json-body.pipe';

describe('JsonBodyPipe', () => {
  const transform = (text: string) =>
    new JsonBodyPipe().transform(Buffer.from(text), { type: 'body', metatype: Object });

  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['4 KiB', 4 * 1024, 0],
    ['more than 4 KiB', 4 * 1024 + 1, 2],
  ])(
    'looks whether its turn of the event loop is over before it reads and before it inspects: %s',
    async (_size, length, turns) => {
      const looks = jest.spyOn(EventLoopTurns.prototype, 'isOver', 'get');
      const text = 'x'.repeat(length - 2);
      expect(await transform(JSON.stringify(text))).toBe(text);
      expect(looks).toHaveBeenCalledTimes(turns);
    },
  );

  it('looks again after each 16 KiB, of what it counts and of what it inspects', async () => {
    const looks = jest.spyOn(EventLoopTurns.prototype, 'isOver', 'get');
    const list = Array.from({ length: 20_000 }, () => 1);
    expect(await transform(JSON.stringify(list))).toEqual(list);
    expect(looks).toHaveBeenCalledTimes(2 + 2 + 2);
  });
});
