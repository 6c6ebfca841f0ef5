import { bearer, createApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { RawClient } from '../support/raw-client';

describeService('Requests whose clients disconnect', ({ service }) => {
  const openConnections = async (): Promise<number> => {
    const { text } = await service.get('/debug/metrics/scrape');
    return ['yes', 'no']
      .map((token) =>
        Number(new RegExp(`^http_connections\\{token="${token}"\\} (\\d+)$`, 'm').exec(text)?.[1]),
      )
      .reduce((sum, count) => sum + count);
  };

  it('leave no connection in the count if they are authenticated afterwards', async () => {
    await addRelayer(service, { id: 'cow' });
    const { key } = await createApiKey(service, { scopes: ['relayers:read'], relayers: ['cow'] });
    const before = await openConnections();
    for (let i = 0; i < 40; i += 1) {
      const client = await RawClient.open(service.url);
      client.request('GET /api/v1/relayers', bearer(key));
      client.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await openConnections()).toBeLessThanOrEqual(before + 1);
  });
});
