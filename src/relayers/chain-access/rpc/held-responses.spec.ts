import { asReceived } from '../../../../test/support/fake-nodes';
import type { NodeResponse } from '../../../chains/rpc/response/node-response';
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
});
