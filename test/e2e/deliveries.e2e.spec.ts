import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addRelayer } from '../support/builders';
import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { until } from '../support/private-servers.cjs';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

describeOnDatabases('Deliveries', (createDatabase) => {
  let database: TestDatabase;
  let service: TestApplication;
  let receiver: Server;
  let received: Received[];
  let url: string;

  beforeEach(async () => {
    received = [];
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.end('thanks');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    database = await createDatabase();
    service = await TestApplication.start(database);
  });

  afterEach(async () => {
    await service.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await database.drop();
  });

  it('tell of a pause, of a change, and of nothing that changes nothing', async () => {
    await service.post('/api/v1/notifications', { id: 'hook', url });
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    await service.patch(`/api/v1/relayers/${id}`, { paused: true });
    await service.patch(`/api/v1/relayers/${id}`, { paused: true });
    await service.patch(`/api/v1/relayers/${id}`, { name: 'New' });
    await until('two events', () => received.length === 2);
    const bodies = received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ event, payload }) => [event, payload.payload_type]).sort()).toEqual([
      ['relayer_state_update', 'relayer_paused'],
      ['relayer_update', 'relayer'],
    ]);
  });
});
