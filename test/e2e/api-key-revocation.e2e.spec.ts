import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeRows } from '../../src/approvals/change-rows';
import { ApprovalsService } from '../../src/approvals/approvals.service';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { ApiKeysService } from '../../src/auth/api-keys/api-keys.service';
import { SignerKeys } from '../../src/signers/opening/signer-keys';
import { SignerPreparation } from '../../src/signers/opening/signer-preparation';
import { createApiKey, rotateApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';
import { LimitedClient } from '../support/limited-keys';
import { changeOutcome, pendingChange } from '../support/pending-changes';

const TIGHT = { messages: { allow: 'text' } };
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

describeService('A change that waits for the database while its API key is revoked', ({ service }) => {
  beforeAll(() => service.post('/api/v1/notifications', { id: 'late', url: 'http://127.0.0.1:9/' }));

  afterEach(() => jest.restoreAllMocks());

  const FREEZE = '/api/v1/signing/freeze';

  it.each<[string, string, object?]>([
    ['PATCH', '/api/v1/relayers/late', { paused: false, policies: null }],
    ['PATCH', '/api/v1/relayers/late', { paused: true }],
    ['DELETE', '/api/v1/relayers/late'],
    ['POST', '/api/v1/notifications', { id: 'late-2', url: 'http://127.0.0.1:9/' }],
    ['PATCH', '/api/v1/notifications/late', { url: 'http://127.0.0.1:9/' }],
    ['DELETE', '/api/v1/notifications/late'],
    ['POST', '/api/v1/networks', { name: 'late-2', network_type: 'evm', chain_id: 31_340 }],
    ['PATCH', '/api/v1/networks/evm:late', { fees: null }],
    ['DELETE', '/api/v1/networks/evm:late'],
    ['DELETE', '/api/v1/signers/late'],
    ['POST', '/api/v1/signing/unfreeze', {}],
    ['POST', FREEZE, { reason: 'again' }],
  ])('is not made: %s %s', async (...[method, path, body]) => {
    const client = await LimitedClient.create(service, { scopes: ['*'] });
    const unitOfWork = service.app.get(UnitOfWork, { strict: false });
    const run = unitOfWork.run.bind(unitOfWork);
    await service.post(FREEZE, { reason: 'test' });
    jest.spyOn(unitOfWork, 'run').mockImplementationOnce(async (work) => {
      await client.revoke();
      await sleep(50);
      return run(work);
    });
    const refused = await client.call({ method, path, ...(body && { body }) });
    expect([refused.status, refused.body.error]).toEqual([401, expect.any(String)]);
    await service.post('/api/v1/signing/unfreeze', {});
  });
});

describeService('A change of API keys that waits for the database', ({ service }) => {
  afterEach(() => jest.restoreAllMocks());

  const KEYS = '/api/v1/api-keys';

  describe.each<[string, (client: LimitedClient) => Promise<unknown>, number]>([
    ['is revoked', (client) => client.revoke(), 401],
    [
      'gets another secret without an overlap',
      async ({ id }) => {
        await rotateApiKey(service, id, { overlap_seconds: 0 });
      },
      401,
    ],
    ['loses the scope', (client) => client.narrow({ scopes: ['relayers:read'] }), 403],
    [
      'may no longer be used from the address',
      (client) => client.narrow({ allowed_ips: ['192.0.2.7'] }),
      401,
    ],
  ])('while the key %s', (_what, change, status) => {
    it.each<[string, string, (own: string, other: string) => string, object?]>([
      ['a creation', 'POST', () => KEYS, BODY],
      ['a change of another key', 'PATCH', (_own, other) => `${KEYS}/${other}`, { name: 'Other' }],
      ['a rotation of its own', 'POST', (own) => `${KEYS}/${own}/rotate`, {}],
      ['a rotation of another key', 'POST', (_own, other) => `${KEYS}/${other}/rotate`, {}],
      ['a revocation of another key', 'DELETE', (_own, other) => `${KEYS}/${other}`],
    ])('is not made: %s', async (...[, method, pathOf, body]) => {
      const client = await LimitedClient.create(service, { scopes: ['*'] });
      const { id: other } = await createApiKey(service, BODY);
      const unitOfWork = service.app.get(UnitOfWork, { strict: false });
      const run = unitOfWork.run.bind(unitOfWork);
      jest.spyOn(unitOfWork, 'run').mockImplementationOnce(async (work) => {
        await change(client);
        return run(work);
      });
      const path = pathOf(client.id, other);
      const refused = await client.call({ method, path, ...(body && { body }) });
      expect(refused.status).toBe(status);
      expect((await service.get(`${KEYS}/${other}`)).body.data).toMatchObject({ name: 'New' });
    });
  });
});

describeService(
  'An API key that loses its rights while a key service is being called',
  { settings: { APPROVALS: 'loosen_policy=1' } },
  ({ service, databaseName }) => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    const signer = (): object => {
      const key = service.keepSecret(randomBytes(32).toString('hex'));
      return { id: `s-${randomBytes(4).toString('hex')}`, type: 'plain', config: { key } };
    };
    const newRelayer = (signer_id: string, more: object = {}): object => {
      const id = `r-${randomBytes(4).toString('hex')}`;
      return { id, name: 'R', network: 'sepolia', network_type: 'evm', paused: false, signer_id, ...more };
    };
    const storedSigner = async (): Promise<string> => (await addRelayer(service)).signerId;

    /** Runs `act` while the address of a signer is looked up. */
    const whileLookingUp = (act: () => Promise<unknown>): void => {
      const keys = service.app.get(SignerKeys, { strict: false });
      const addressOf = keys.addressOf.bind(keys);
      jest.spyOn(keys, 'addressOf').mockImplementationOnce(async (...args) => {
        await act();
        return addressOf(...args);
      });
    };

    it('creates no signer', async () => {
      const client = await LimitedClient.create(service, { scopes: ['signers:write'] });
      const preparation = service.app.get(SignerPreparation, { strict: false });
      const prepare = preparation.prepare.bind(preparation);
      jest.spyOn(preparation, 'prepare').mockImplementationOnce(async (...args) => {
        await client.revoke();
        return prepare(...args);
      });
      const body = signer();
      expect((await client.call({ method: 'POST', path: '/api/v1/signers', body })).status).toBe(401);
      const { id } = body as { id: string };
      expect((await service.get(`/api/v1/signers/${id}`)).status).toBe(404);
    });

    it.each([
      ['that is revoked', (client: LimitedClient) => client.revoke(), 401],
      [
        'that lacks the scope now',
        (client: LimitedClient) => client.narrow({ scopes: ['relayers:read'] }),
        403,
      ],
      [
        'that reaches other relayers now',
        (client: LimitedClient) => client.narrow({ groups: ['other'] }),
        403,
      ],
    ])('creates no relayer with a key %s', async (_how, lose, status) => {
      const client = await LimitedClient.create(service, { scopes: ['relayers:write', 'relayers:read'] });
      const chain = { name: `n-${randomBytes(4).toString('hex')}`, network_type: 'evm', chain_id: 31_337 };
      expect((await service.post('/api/v1/networks', chain)).status).toBe(201);
      const body = newRelayer(await storedSigner(), { network: chain.name, group: 'mine', policies: TIGHT });
      whileLookingUp(() => lose(client));
      expect((await client.call({ method: 'POST', path: '/api/v1/relayers', body })).status).toBe(status);
      const { id } = body as { id: string };
      expect((await service.get(`/api/v1/relayers/${id}`)).status).toBe(404);
    });

    it('has no change applied', async () => {
      const [requester, approver] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const chain = { name: `n-${randomBytes(4).toString('hex')}`, network_type: 'evm', chain_id: 31_338 };
      expect((await service.post('/api/v1/networks', chain)).status).toBe(201);
      const body = newRelayer(await storedSigner(), { network: chain.name });
      const change = pendingChange(await requester.call('POST', '/api/v1/relayers', body));
      whileLookingUp(() => service.call({ method: 'DELETE', path: `/api/v1/api-keys/${requester.id}` }));
      expect(changeOutcome(await approver.approve(change))).toEqual([409, 'Change cannot be applied']);
      const { id } = body as { id: string };
      expect((await service.get(`/api/v1/relayers/${id}`)).status).toBe(404);
      expect((await approver.show(change)).body.data).toMatchObject({
        status: 'failed',
        code: 'unauthorized',
      });
    });

    // On SQLite, nothing is committed between the reads of a unit of work.
    if (databaseName === 'SQLite') return;

    it('approves nothing any more, even if the change is being applied', async () => {
      const [requester, approver] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const loosened = await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null });
      const change = pendingChange(loosened);
      const unitOfWork = service.app.get(UnitOfWork, { strict: false });
      const run = unitOfWork.run.bind(unitOfWork);
      // The request is late, so that the unit of work reads the key of the requester first.
      jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
        await sleep(50);
        return run(work);
      });
      const rows = service.app.get(ChangeRows, { strict: false });
      const apply = rows.apply.bind(rows);
      jest.spyOn(rows, 'apply').mockImplementationOnce(async (...args) => {
        await service.call({ method: 'DELETE', path: `/api/v1/api-keys/${approver.id}` });
        return apply(...args);
      });
      expect(changeOutcome(await approver.approve(change))).toEqual([200, 'pending']);
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data).toMatchObject({ policies: TIGHT });
    });
  },
);
