import { asReceived } from '../../../../test/support/fake-nodes';
import { SharedResponse } from './shared-response';

describe('SharedResponse', () => {
  it('releases its memory once, when the last caller that joined has released it', async () => {
    let released = 0;
    let isClosed = false;
    const response = Promise.resolve({ ...asReceived({ result: 1 }), release: () => (released += 1) });
    const shared = new SharedResponse(response, () => (isClosed = true));
    const [first, second] = await Promise.all([shared.join(), shared.join()]);
    expect(isClosed).toBe(true);
    first.release();
    first.release();
    expect(released).toBe(0);
    second.release();
    second.release();
    expect(released).toBe(1);
  });

  it('fails for all callers that joined, and is then closed', async () => {
    let isClosed = false;
    const shared = new SharedResponse(Promise.reject(new Error('down')), () => (isClosed = true));
    const joined = [shared.join(), shared.join()];
    for (const each of joined) await expect(each).rejects.toThrow('down');
    expect(isClosed).toBe(true);
  });
});
