import { EventLoopTurns } from '../event-loop/event-loop-turns';
import { JsonBodyPipe } from './json-body.pipe';
import { OptionalBody } from './optional-body.decorator';

describe('JsonBodyPipe', () => {
  const transform = (text: string) =>
    new JsonBodyPipe().transform(Buffer.from(text), { type: 'body', metatype: Object });

  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['4 KiB', 4 * 1024, 0],
    ['more than 4 KiB', 4 * 1024 + 1, 2],
  ])(
    'checks its turn of the event loop before parsing and inspecting only if the body is large: %s',
    async (_size, length, turns) => {
      const looks = jest.spyOn(EventLoopTurns.prototype, 'isOver', 'get');
      const text = 'x'.repeat(length - 2);
      expect(await transform(JSON.stringify(text))).toBe(text);
      expect(looks).toHaveBeenCalledTimes(turns);
    },
  );

  it('checks its turn after every 16 KiB of counting and of inspecting', async () => {
    const looks = jest.spyOn(EventLoopTurns.prototype, 'isOver', 'get');
    const list = Array.from({ length: 20_000 }, () => 1);
    expect(await transform(JSON.stringify(list))).toEqual(list);
    expect(looks).toHaveBeenCalledTimes(2 + 2 + 2);
  });

  describe('for a DTO whose body is optional', () => {
    class Dto {}
    OptionalBody()(Dto);
    const read = (body: unknown) => new JsonBodyPipe().transform(body, { type: 'body', metatype: Dto });

    it.each([undefined, Buffer.alloc(0), Buffer.from('{}')])('treats %p as an empty object', async (body) => {
      expect(await read(body)).toEqual(new Dto());
    });

    it.each(['null', '[]', '5', ' '])('rejects the body %j', async (text) => {
      await expect(read(Buffer.from(text))).rejects.toMatchObject({ code: 'invalid_request' });
    });

    it('rejects a missing body for any other DTO', async () => {
      const pipe = new JsonBodyPipe();
      await expect(pipe.transform(undefined, { type: 'body', metatype: class {} })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    });
  });
});
