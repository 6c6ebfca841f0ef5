import { SharedClients } from './shared-clients';

describe('SharedClients', () => {
  const closed: string[] = [];
  const clients = () => new SharedClients<string>((client) => closed.push(client));

  beforeEach(() => {
    closed.length = 0;
  });

  it('shares one client per key and closes it after the last release', async () => {
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

  it('creates a separate client for another key, and a new client after the last release', async () => {
    const shared = clients();
    const make = jest.fn(() => Promise.resolve('client'));
    const first = shared.lease('a', make);
    shared.lease('b', make);
    first.release();
    shared.lease('a', make);
    await settled();
    expect(make).toHaveBeenCalledTimes(3);
  });

  it('closes a client that becomes ready after its last release', async () => {
    let ready: (client: string) => void = () => undefined;
    const lease = clients().lease('a', () => new Promise((resolve) => (ready = resolve)));
    lease.release();
    ready('late');
    await settled();
    expect(closed).toEqual(['late']);
  });

  it('does not retain a client that could not be created', async () => {
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
