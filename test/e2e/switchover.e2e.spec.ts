import { setTimeout as sleep } from 'node:timers/promises';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { copyDatabase } from '../support/copy-database';
import { describeWithMariaDb } from '../support/databases';
import { PrivateMariaDb } from '../support/private-servers';
import { SwitchingProxy } from '../support/switching-proxy';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
const FREEZE = "INSERT INTO signing_freeze (id, reason, frozen_at) VALUES ('signing', 'INC-142', NOW())";
/** Longer than a connection remains in use without being checked again. */
const PAUSE_MS = 1_100;

describeWithMariaDb('An instance during a switchover of the database', () => {
  let former: PrivateMariaDb;
  let next: PrivateMariaDb;
  let proxy: SwitchingProxy;
  let service: TestApplication;

  const sign = async (): Promise<number> =>
    (await service.post('/api/v1/relayers/cow/sign-typed-data', HASHES)).status;
  const signTogether = async (): Promise<Set<number>> =>
    new Set(await Promise.all(Array.from({ length: 20 }, sign)));

  beforeAll(async () => {
    [former, next] = [await PrivateMariaDb.create(), await PrivateMariaDb.create()];
    proxy = await SwitchingProxy.create(await former.createRelayer());
    service = await TestApplication.start({ url: proxy.url, drop: () => Promise.resolve() });
    await addRelayer(service, { id: 'cow' });
  });

  afterAll(async () => {
    await service.close();
    await proxy.destroy();
    await next.destroy();
    await former.destroy();
  });

  it('signs nothing by the state of the former primary once the name leads to the new one', async () => {
    expect(await signTogether()).toEqual(new Set([200]));
    await former.administer('SET GLOBAL read_only = 1');
    await copyDatabase(`${former.url}/relayer`, await next.createRelayer());
    expect(await signTogether()).toEqual(new Set([500]));
    expect((await service.get('/v1/ready')).status).toBe(503);
    await next.administer(`USE relayer`, FREEZE);
    proxy.leadTo(next.port);
    await sleep(PAUSE_MS);

    // The connections for the audit log may lead to the former primary until they are used.
    await signTogether();
    for (let i = 0; i < 5; i += 1) expect(await signTogether()).toEqual(new Set([403]));
    await next.administer('DELETE FROM relayer.signing_freeze');
    expect(await signTogether()).toEqual(new Set([200]));
    expect((await service.get('/v1/ready')).status).toBe(200);
  });
});
