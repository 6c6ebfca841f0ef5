import { SharedClients } from './shared-clients';

describe('SharedClients', () => {
  const closed: string[] = [];
  const clients = () => new SharedClients<string>((client) => closed.push(client));

  beforeEach(() => {
    closed.length = 0;
  });

  it('makes one client for those that share it, and closes it after the last', async () => {
    const shared = clients();
    const make = jest.fn(() => Promise.resolve('client'));
    const [first, second] = [shared.lease('a', make), shared.lease('a', make)];
    expect(await first.client).toBe('client');
    expect(await second.client).toBe('client');
    first.release();
    first.release();
    await settled();
    expect(closed).toEqual([]);
    second.release();
    await settled();
    expect(closed).toEqual(['client']);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('makes another client for another key, and a new one after the last was closed', async () => {
    const shared = clients();
    const make = jest.fn(() => Promise.resolve('client'));
    const first = shared.lease('a', make);
    shared.lease('b', make);
    first.release();
    shared.lease('a', make);
    await settled();
    expect(make).toHaveBeenCalledTimes(3);
  });

  it('closes a client that was not ready yet when its last user left', async () => {
    let ready: (client: string) => void = () => undefined;
    const lease = clients().lease('a', () => new Promise((resolve) => (ready = resolve)));
    lease.release();
    ready('late');
    await settled();
    expect(closed).toEqual(['late']);
  });

  it('does not keep a client that could not be made', async () => {
    const shared = clients();
    const failed = shared.lease('a', () => Promise.reject(new Error('no')));
    await expect(failed.client).rejects.toThrow('no');
    const next = shared.lease('a', () => Promise.resolve('client'));
    failed.release();
    expect(await next.client).toBe('client');
    await settled();
    expect(closed).toEqual([]);
  });
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
