import { setTimeout as sleep } from 'node:timers/promises';
import { ApprovalsService } from '../../src/approvals/approvals.service';
import { ApiKeysService } from '../../src/auth/api-keys/api-keys.service';
import { describeService } from '../support/describe-service';
import { LimitedClient } from '../support/limited-keys';

const BODY = { name: 'New', scopes: ['relayers:read'] };

describeService('The revocation of an API key', ({ service }) => {
  let client: LimitedClient;

  beforeEach(async () => {
    client = await LimitedClient.create(service, { scopes: ['api-keys:manage', 'relayers:read'] });
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Runs `act` while the key creates another one, after its rights have been checked. */
  const whileCreating = (act: () => Promise<void>): void => {
    const approvals = service.app.get(ApprovalsService, { strict: false });
    const require = approvals.require.bind(approvals);
    jest.spyOn(approvals, 'require').mockImplementationOnce(async (...args) => {
      await act();
      return require(...args);
    });
  };

  it('is acknowledged only after the keys that it is creating are stored', async () => {
    const order: string[] = [];
    let revocation: Promise<unknown> = Promise.resolve();
    whileCreating(async () => {
      revocation = client.revoke().then(() => order.push('revoked'));
      await sleep(500);
      order.push('created');
    });
    const created = await client.call({ method: 'POST', path: '/api/v1/api-keys', body: BODY });
    expect(created.status).toBe(201);
    await revocation;
    expect(order).toEqual(['created', 'revoked']);
  });

  it('is not needed for a key that has expired in the meantime: it creates none', async () => {
    const keys = service.app.get(ApiKeysService, { strict: false });
    const create = keys.create.bind(keys);
    jest.spyOn(keys, 'create').mockImplementationOnce(async (row) => {
      const expires_at = new Date(Date.now() + 200).toISOString();
      await client.narrow({ expires_at });
      await sleep(300);
      return create(row);
    });
    const refused = await client.call({ method: 'POST', path: '/api/v1/api-keys', body: BODY });
    expect(refused.status).toBe(401);
  });
});
