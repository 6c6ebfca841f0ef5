import { asReceived } from '../../../../test/support/fake-nodes';
import type { NodeResponse } from '../../../chains/rpc/response/node-response';
import { CopiedResponses } from './copied-responses';
import { HeldResponses } from './held-responses';

describe('HeldResponses', () => {
  it('releases each held response exactly once', () => {
    let released = 0;
    const response = (): NodeResponse => ({ ...asReceived({ result: 1 }), release: () => (released += 1) });
    const held = new HeldResponses();
    for (let i = 0; i < 3; i += 1) held.hold(response());
    expect(released).toBe(0);
    held.release();
    held.release();
    expect(released).toBe(3);
  });

  describe('with a limit for small responses', () => {
    const respond = (bytes: number): NodeResponse => asReceived({ result: 'x'.repeat(bytes - 2) });
    const holds = (held: HeldResponses, bytes: number): boolean => {
      try {
        held.hold(respond(bytes));
        return true;
      } catch (error) {
        expect(error).toMatchObject({ failure: 'overloaded' });
        return false;
      }
    };

    it('refuses those of all batches that exceed it, except the smallest', () => {
      const copies = new CopiedResponses(100_000);
      const [one, other] = [new HeldResponses(copies), new HeldResponses(copies)];
      expect([holds(one, 60_000), holds(other, 30_000), holds(other, 10_001)]).toEqual([true, true, false]);
      expect([holds(other, 10_000), holds(other, 4096), holds(other, 4097)]).toEqual([true, true, false]);
      // Those that are larger have a memory of their own.
      expect(holds(other, 70_000)).toBe(true);
    });

    it.each(['handOver', 'release'] as const)('has room again after %s, once', (end) => {
      const copies = new CopiedResponses(60_000);
      const [one, other] = [new HeldResponses(copies), new HeldResponses(copies)];
      expect([holds(one, 60_000), holds(other, 5000)]).toEqual([true, false]);
      one[end]();
      one.release();
      expect([holds(other, 60_000), holds(other, 5000)]).toEqual([true, false]);
    });

    it('releases what it refuses', () => {
      let released = 0;
      const held = new HeldResponses(new CopiedResponses(0));
      const response = { ...respond(5000), release: () => (released += 1) };
      expect(() => held.hold(response)).toThrow();
      expect(released).toBe(1);
    });
  });
});
