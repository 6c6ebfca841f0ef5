import { sendable, startSender } from '../../../test/support/attempt-sender';
import type { SendCause } from '../../chains/send-cause';

describe('unexecutable', () => {
  const reverts: object = {
    drafted: { refused: 'Transaction would revert: no', revert: { reason: 'no', data: '0x' } },
  };
  const short = { isShortOfGas: true };

  /**
   * Sends a request that nodes refuse for an unknown reason: twice at first, and twice some minutes later. @returns the
   * changes
   */
  async function sendRefused(row: object, minutes: number, given: object) {
    const { send, says, changed, doubts, ofNodes, known, time, view } = startSender();
    const all: { ofNodes?: string[]; between?: SendCause } = given;
    const { between = 'unknown' } = all;
    Object.assign(doubts, all);
    ofNodes.push(...(all.ofNodes ?? []));
    known.push('0x1');
    for (const at of [0, 1000, minutes * 60_000, minutes * 60_000 + 4000]) {
      time.now = at;
      view.head += 2;
      says['0x1'] = at === 1000 ? between : 'unknown';
      const refused = sendable('0x1');
      Object.assign(refused.row, { attempt: { hash: '0x1', gas_limit: '21000' }, ...row });
      await send([refused]);
    }
    return changed;
  }

  it.each([
    ['sent', reverts, 'Transaction would revert: no'],
    ['submitted', reverts, 'Transaction would revert: no'],
    ['sent', short, 'Transaction gas limit (21000) is too low'],
    ['submitted', short, 'Transaction gas limit (21000) is too low'],
  ] as const)(
    'fails a %s request that nodes refuse for an unknown reason for ten minutes, given %j',
    async (status, given, reason) => {
      const changed = await sendRefused({ status }, 10, given);
      expect(changed.map(({ abandonedAs }) => abandonedAs)).toEqual([
        ...[undefined, undefined, undefined],
        'failed',
      ]);
      // It is soon sent again, to see whether that lasts.
      expect(changed[2]).toMatchObject({ broadcastAt: null });
      expect(changed.at(-1)).toMatchObject({
        ...{ needsAttempt: true, statusReason: reason },
        ...(given === reverts && { revertReason: 'no', revertData: '0x' }),
      });
      // A no-op with the same nonce follows.
      expect(changed.at(-1)).not.toHaveProperty('status');
    },
  );

  it.each<[string, object, number, object]>([
    ['for less than ten minutes', {}, 9.9, reverts],
    ['although it would not revert', {}, 10, {}],
    ['behind others', { nonce: 1 }, 10, reverts],
    ['while a node has it', { status: 'submitted' }, 10, { ...reverts, ofNodes: ['0x1'] }],
    [
      'while a node has an earlier attempt',
      { status: 'submitted', hashes: ['0x0', '0x1'] },
      10,
      { ...short, ofNodes: ['0x0'] },
    ],
    ['with an acceptance in between', { status: 'submitted' }, 10, { ...reverts, between: 'accepted' }],
    ['by some nodes only', {}, 10, { ...short, isRefusedByAll: false }],
    ['while blocks have less gas', {}, 10, { ...reverts, fit: 'later' }],
    ['after it was canceled', { abandonedAs: 'canceled' }, 10, reverts],
  ])('does not fail a request that is refused %s', async (_what, row, minutes, given) => {
    const changed = await sendRefused(row, minutes, given);
    expect(changed.map(({ abandonedAs }) => abandonedAs)).toEqual(Array(4).fill(undefined));
  });
});
