import { SERVICE_VERSION } from '../../src/common/service-version';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SignerEntity } from '../../src/signers/signer.entity';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { sealRows } from '../support/row-macs';
import { MAIL } from '../support/typed-data/vectors';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const TRANSFER = {
  ...{ type: 0, chain_id: 1, nonce: 0, gas_limit: 21_000, gas_price: 5 },
  to: `0x${'35'.repeat(20)}`,
};
const REASON_RULE = 'reason must be a string of 1 to 255 characters without control characters';
const THAWED = { frozen: false, reason: null, since: null };

const settings = {
  API_KEY: randomBytes(32).toString('hex'),
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

describeService('The signing freeze', { settings }, ({ service, database }) => {
  let other: TestApplication;

  beforeAll(async () => {
    other = await TestApplication.start(database, settings);
    await addRelayer(service, { id: 'cow', network: 'mainnet' });
  });

  afterEach(() => service.post('/api/v1/signing/unfreeze', undefined));

  afterAll(async () => {
    await other.close();
  });

  const freeze = (reason: unknown = 'INC-142') => service.post('/api/v1/signing/freeze', { reason });
  const state = async (instance = service) => (await instance.get('/api/v1/signing/freeze')).body.data;
  const signAll = (instance: TestApplication, id = 'cow') =>
    Promise.all(
      (
        [
          ['sign-typed-data', HASHES],
          ['sign-typed-data', MAIL],
          ['sign-typed-data/batch', { items: [HASHES] }],
          ['sign', { message: 'Some data' }],
          ['sign-transaction', { transaction: TRANSFER }],
        ] as const
      ).map(([route, body]) => instance.post(`/api/v1/relayers/${id}/${route}`, body)),
    );

  it('stops every form of signature on every instance, until it is lifted', async () => {
    expect(await state()).toEqual(THAWED);
    const before = Date.now();
    const frozen = await freeze('Somebody has our token');
    expect(frozen.status).toBe(200);
    const { data } = frozen.body as { data: { since: string } };
    expect(data).toEqual({
      frozen: true,
      reason: 'Somebody has our token',
      since: expect.any(String) as string,
    });
    expect(Date.parse(data.since)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(data.since)).toBeLessThanOrEqual(Date.now());
    for (const instance of [service, other]) {
      expect(await state(instance)).toEqual(data);
      for (const { status, body } of await signAll(instance))
        expect([status, body.message, body.error]).toEqual([
          403,
          'Signing frozen',
          'nothing is signed until POST /api/v1/signing/unfreeze; the reason given is: Somebody has our token',
        ]);
    }
    const lifted = await other.post('/api/v1/signing/unfreeze', { reason: 'Token replaced' });
    expect([lifted.status, lifted.body]).toEqual([200, { success: true, data: THAWED, error: null }]);
    for (const instance of [service, other])
      expect((await signAll(instance)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('survives a restart', async () => {
    await freeze();
    const restarted = await TestApplication.start(database, settings);
    expect((await signAll(restarted)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    await restarted.close();
  });

  it('takes precedence over a paused relayer, but not over an unknown relayer', async () => {
    await addRelayer(service, { id: 'resting', paused: true });
    await freeze();
    const responses = await Promise.all(
      ['nobody', 'resting'].map(async (id) => (await signAll(service, id))[0]),
    );
    expect(responses.map((response) => [response?.status, response?.body.message])).toEqual([
      [404, 'Relayer with ID nobody not found'],
      [403, 'Signing frozen'],
    ]);
    await service.post('/api/v1/signing/unfreeze', {});
    expect((await signAll(service, 'resting'))[0]?.body.message).toBe('Relayer paused');
  });

  it('affects nothing but signatures', async () => {
    await freeze();
    expect((await service.patch('/api/v1/relayers/cow', { name: 'Cow' })).status).toBe(200);
    expect((await service.get('/api/v1/signers')).status).toBe(200);
  });

  it('prevents signers from signing a challenge', async () => {
    const key = service.keepSecret(randomBytes(32).toString('hex'));
    const signer = { id: randomBytes(4).toString('hex'), type: 'plain', config: { key } };
    const old = { ...signer, id: 'old' };
    expect((await service.post('/api/v1/signers', old)).status).toBe(201);
    await service.app
      .get(DataSource)
      .query("UPDATE signers SET address = NULL, public_key = NULL WHERE id = 'old'");
    await sealRows(service, SignerEntity);
    await freeze();
    for (const refused of [
      await service.post('/api/v1/signers', signer),
      await service.get('/api/v1/signers/old'),
    ]) {
      const { status, body } = refused;
      expect([status, body.message, body.error]).toEqual([
        403,
        'Signing frozen',
        'nothing is signed until POST /api/v1/signing/unfreeze; the reason given is: INC-142',
      ]);
    }
    await service.post('/api/v1/signing/unfreeze', undefined);
    expect((await service.get('/api/v1/signers/old')).status).toBe(200);
    expect((await service.get(`/api/v1/signers/${signer.id}`)).status).toBe(404);
    expect((await service.post('/api/v1/signers', signer)).status).toBe(201);
  });

  it('keeps the first reason and time when it is requested again', async () => {
    const first = (await freeze('first')).body.data as object;
    const again = await freeze('second');
    expect(again.body).toEqual({
      success: true,
      data: first,
      error: null,
      metadata: {
        logs: [{ level: 'warn', message: 'Signing was frozen already: the first reason and time stay' }],
        traces: [],
      },
    });
  });

  it('is lifted with or without a body, with a warning if signing was not frozen', async () => {
    for (const body of [undefined, {}, { reason: null }, { reason: 'Replaced' }]) {
      await freeze();
      const response = await service.post('/api/v1/signing/unfreeze', body);
      expect([response.status, response.body.metadata]).toEqual([200, undefined]);
    }
    const again = await service.post('/api/v1/signing/unfreeze', undefined);
    expect([again.status, again.body.data, again.body.metadata.logs]).toEqual([
      200,
      THAWED,
      [{ level: 'warn', message: 'Signing was not frozen' }],
    ]);
  });

  it('has a single state after concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? service : other).post('/api/v1/signing/freeze', { reason: `${i}` }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(responses.filter(({ body }) => body.metadata === undefined)).toHaveLength(1);
  });

  it.each<[unknown, string]>([
    [{}, REASON_RULE],
    [{ reason: null }, REASON_RULE],
    [{ reason: '' }, REASON_RULE],
    [{ reason: 5 }, REASON_RULE],
    [{ reason: 'x'.repeat(256) }, REASON_RULE],
    [{ reason: 'a\nb' }, REASON_RULE],
    [{ reason: 'a', until: 'tomorrow' }, 'until is not a known field'],
    [undefined, 'a JSON body with Content-Type: application/json is required'],
    [null, 'the request body must be a JSON object'],
    [[], 'the request body must be a JSON object'],
  ])('rejects %j', async (body, error) => {
    const response = await service.post('/api/v1/signing/freeze', body === null ? 'null' : body);
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(await state()).toEqual(THAWED);
  });

  it.each<[unknown, string]>([
    ['null', 'the request body must be a JSON object'],
    [[], 'the request body must be a JSON object'],
    [{ reason: 5 }, REASON_RULE],
    [{ reason: '' }, REASON_RULE],
    [{ force: true }, 'force is not a known field'],
  ])('is not lifted by %j', async (body, error) => {
    await freeze();
    const response = await service.post('/api/v1/signing/unfreeze', body);
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect((await state()).frozen).toBe(true);
  });

  it.each([
    ['GET', 'freeze'],
    ['POST', 'freeze'],
    ['POST', 'unfreeze'],
  ])('requires a token for %s %s', async (method, route) => {
    const path = `/api/v1/signing/${route}`;
    const response = await service.call({ method, path, headers: { authorization: undefined } });
    expect(response.status).toBe(401);
  });

  it('is reported by the readiness route, which still returns 200, and by the metrics', async () => {
    const metric = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 1050));
      return (await service.get('/metrics/signing_frozen')).text;
    };
    expect(await metric()).toContain('signing_frozen 0');
    await freeze();
    expect(await metric()).toContain('signing_frozen 1');
    const ready = await service.get('/v1/ready');
    expect([ready.status, ready.body]).toEqual([
      200,
      {
        status: 'ok',
        version: SERVICE_VERSION,
        components: { database: { status: 'up' }, signing: { status: 'frozen' } },
      },
    ]);
    expect((await service.get('/api/v1/ready')).body.data.components.signing).toEqual({ status: 'frozen' });
  });

  it('is logged with its reason and the request id', async () => {
    // The application that started last receives the log of the process.
    const logging = await TestApplication.start(database, settings);
    await logging.post('/api/v1/signing/freeze', { reason: 'INC-142' });
    await logging.post('/api/v1/signing/unfreeze', { reason: 'Token replaced' });
    const logs = logging.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const [message, reason] of [
      ['Signing frozen', 'INC-142'],
      ['Signing unfrozen', 'Token replaced'],
    ])
      expect(logs).toContainEqual(
        expect.objectContaining({ message, reason, level: 'warn', request_id: expect.any(String) as string }),
      );
    await logging.close();
  });

  it('costs no additional SQL statement per signature', async () => {
    const dataSource = service.app.get(DataSource);
    const statements = jest.spyOn(dataSource.manager, 'query');
    expect((await service.post('/api/v1/relayers/cow/sign-typed-data', HASHES)).status).toBe(200);
    expect(statements).toHaveBeenCalledTimes(1);
    statements.mockRestore();
  });

  it('is read with the relayer at least once for every eight items of a batch', async () => {
    const statements = jest.spyOn(service.app.get(DataSource).manager, 'query');
    const items = Array.from({ length: 80 }, () => HASHES);
    expect((await service.post('/api/v1/relayers/cow/sign-typed-data/batch', { items })).status).toBe(200);
    expect(statements.mock.calls.length).toBeGreaterThanOrEqual(11);
    expect(statements.mock.calls.length).toBeLessThan(30);
    for (const [statement] of statements.mock.calls) expect(statement).toContain('signing_freeze');
    statements.mockRestore();
  });
});
