import { setTimeout } from 'node:timers/promises';
import { DnsServer } from '../../test/support/dns-server';
import { outboundGuard, outboundHttp } from '../../test/support/outbound';
import { rawResponse, RawServer } from '../../test/support/raw-server';
import type { Destination } from './destination';
import { OutboundConnector } from './outbound-connector';
import type { OutboundGuard } from './outbound-guard';
import type { OutboundHttp } from './outbound-http';

const ALLOWED = '127.0.0.2';
const FORBIDDEN = '127.0.0.1';
const METADATA = '169.254.169.254';

async function onOnePort(attempts = 5): Promise<[RawServer, RawServer]> {
  const open = await RawServer.start(
    (socket) => socket.end(rawResponse('open', '200 OK', 'Connection: close\r\n')),
    { host: ALLOWED },
  );
  try {
    const hidden = await RawServer.start((socket) => socket.end(rawResponse('hidden')), {
      host: FORBIDDEN,
      port: open.port,
    });
    return [open, hidden];
  } catch (error) {
    // The port is in use at the other address.
    await open.close();
    if (attempts === 1) throw error;
    return onOnePort(attempts - 1);
  }
}

/** Two servers on one port: one at an address that may be called, one at an address that may not. */
describe('OutboundHttp with names that change their address', () => {
  let open: RawServer;
  let hidden: RawServer;
  let dns: DnsServer;
  let http: OutboundHttp;

  beforeEach(async () => {
    [open, hidden] = await onOnePort();
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    await Promise.all([open.close(), hidden.close(), dns.close()]);
  });

  async function resolving(...responses: string[][]): Promise<void> {
    dns = await DnsServer.start((number) => responses[number - 1] ?? responses.at(-1) ?? []);
    http = outboundHttp({ allow: ALLOWED, lookup: dns.lookup });
  }

  const post = async (): Promise<string> => {
    const url = `http://node.rebind.test:${open.port}`;
    const response = http.post({
      url,
      purpose: 'rpc',
      body: '',
      timeoutMs: 3000,
      maxBytes: 100,
      onTooLarge: 'fail',
    });
    return response.then(
      ({ body }) => body.toString(),
      (error: unknown) => (error as { failure: string }).failure,
    );
  };

  it('connects to the address that was checked, without a second lookup', async () => {
    await resolving([ALLOWED], [FORBIDDEN]);
    expect(await post()).toBe('open');
    expect(dns.questions).toEqual(['node.rebind.test']);
    expect(hidden.sockets).toHaveLength(0);
  });

  it.each([FORBIDDEN, METADATA])('checks again for each connection (%s the second time)', async (second) => {
    await resolving([ALLOWED], [second]);
    expect(await post()).toBe('open');
    await setTimeout(10);
    expect(await post()).toBe('refused');
    expect(dns.questions).toHaveLength(2);
    expect([open.sockets.length, hidden.sockets.length]).toEqual([1, 0]);
  });

  it.each([FORBIDDEN, METADATA])(
    'refuses a name only while it resolves to a forbidden address (%s)',
    async (first) => {
      await resolving([first], [ALLOWED]);
      expect(await post()).toBe('refused');
      expect([open.sockets.length, hidden.sockets.length]).toEqual([0, 0]);
      expect(await post()).toBe('open');
      expect(hidden.sockets).toHaveLength(0);
    },
  );

  it.each([[[ALLOWED, FORBIDDEN]], [[FORBIDDEN, ALLOWED]], [[ALLOWED, METADATA]], [[ALLOWED, '0.0.0.0']]])(
    'refuses a name when any of its addresses is refused (%j)',
    async (addresses) => {
      await resolving(addresses);
      expect(await post()).toBe('refused');
      expect([open.sockets.length, hidden.sockets.length]).toEqual([0, 0]);
    },
  );

  it('checks and uses only the first 64 addresses of a name', async () => {
    await resolving([]);
    const guard = outboundGuard({ allow: ALLOWED });
    const judge = jest.spyOn(guard, 'refusalOfAddress');
    const connector = new OutboundConnector(guard, () => Promise.resolve(Array<string>(5000).fill(ALLOWED)));
    const to: Destination = { purpose: 'rpc', secure: false, hostname: 'many.test', port: open.port };
    (await connector.connect(to, new AbortController().signal)).destroy();
    expect(judge).toHaveBeenCalledTimes(64);
  });

  it('reports a name without addresses', async () => {
    await resolving([]);
    expect(await post()).toBe('dns');
  });

  it('checks the address of the socket too, and refuses any other than the one checked', async () => {
    await resolving([ALLOWED]);
    const blind = {
      refusalOfHost: () => undefined,
      refusalOfAddress: () => undefined,
    } as unknown as OutboundGuard;
    // The kernel connects 0.0.0.0 to loopback.
    const connector = new OutboundConnector(blind, () => Promise.resolve(['0.0.0.0']));
    const to: Destination = {
      purpose: 'rpc',
      secure: false,
      hostname: 'node.rebind.test',
      port: open.port,
    };
    await expect(connector.connect(to, new AbortController().signal)).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('another address than the one that was checked'),
    });
    const guarded = new OutboundConnector(outboundGuard({ allow: ALLOWED }), () =>
      Promise.resolve(['0.0.0.0']),
    );
    await expect(guarded.connect(to, new AbortController().signal)).rejects.toMatchObject({
      message: expect.stringContaining('not allowed'),
    });
  });
});
