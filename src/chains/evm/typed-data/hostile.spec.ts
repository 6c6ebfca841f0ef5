import { hostileTypedData } from '../../../../test/support/typed-data/hostile';
import { EventLoopTurns } from '../../../common/event-loop/event-loop-turns';
import { hashTypedData, type RawTypedData } from './typed-data';

/** Every reading of the clock ends the turn. */
class CountedTurns extends EventLoopTurns {
  looks = 0;

  override get isOver(): boolean {
    this.looks += 1;
    return super.isOver;
  }
}

const hash = async (data: RawTypedData) => new EventLoopTurns().run(hashTypedData(data));

describe('hostile typed data', () => {
  it.each(hostileTypedData())('$title', async ({ data, refusal }) => {
    const result = await hash(data).catch((error: unknown) => error);
    if (refusal === undefined) expect(result).toMatchObject({ primaryType: 'A' });
    else expect(result).toMatchObject({ code: 'invalid_request', detail: refusal });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['as many texts as there may be', 310],
    ['as many addresses as there may be', 182],
    ['as many integers as there may be', 310],
    ['as many structs as there may be', 310],
    ['as many members as there may be', 76],
    ['as many types as there may be', 1 + 14 + 1 + 59],
  ])(
    'yields to the event loop before the types, every 128 structs and every 32 values: %s',
    async (title, looks) => {
      const turns = new CountedTurns(() => Infinity);
      await turns.run(hashTypedData(hostileTypedData().find((hostile) => hostile.title === title)!.data));
      expect(turns.looks).toBe(looks);
    },
  );
});
