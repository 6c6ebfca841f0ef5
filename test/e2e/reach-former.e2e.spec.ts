import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/database/migrate';
import { emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import { addEndedTransaction } from '../support/ended-transaction';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';

const RELAYERS = '/api/v1/relayers';
const KEY = '34'.repeat(32);

describeService('The reach of API keys to the accounts of deleted relayers', ({ service }) => {
  let [a, b, unlimited]: KeyHolder[] = [];

  beforeAll(async () => {
    service.keepSecret(KEY);
    a = await KeyHolder.add(service, { groups: ['a'] });
    b = await KeyHolder.add(service, { groups: ['b'] });
    unlimited = await KeyHolder.add(service);
  });

  beforeEach(async () => {
    await addSigner('s');
  });

  afterEach(() => emptyTables(service));

  const addSigner = async (id: string, key = KEY): Promise<void> => {
    const signer = { id, type: 'plain', config: { key } };
    expect((await service.post('/api/v1/signers', signer)).status).toBe(201);
  };
  const remove = async (path: string): Promise<void> => {
    expect((await service.call({ method: 'DELETE', path })).status).toBe(200);
  };
  const create = (holder: KeyHolder | undefined, id: string, fields: object): Promise<HttpResponse> =>
    holder!.call('POST', RELAYERS, {
      ...{ id, name: 'R', network: 'sepolia', network_type: 'evm', signer_id: 's', paused: true },
      ...fields,
    });
  const outcome = async (response: Promise<HttpResponse>): Promise<unknown> => {
    const { status, body } = await response;
    return status === 201 ? 201 : [status, body.error];
  };
  /** @returns the address of a relayer that was created and deleted */
  const addAndRemove = async (id: string, fields: object): Promise<string> => {
    const { status, body } = await create(unlimited, id, fields);
    expect(status).toBe(201);
    await remove(`${RELAYERS}/${id}`);
    return body.data.address as string;
  };

  const OF_SIGNER = [403, "this API key cannot reach every earlier relayer that signer 's' served"];
  const ofAddress = (address: string) => [
    403,
    `this API key cannot reach every earlier relayer with the address ${address}`,
  ];

  it('does not allow a signer of a relayer that was outside it, on any network', async () => {
    await addAndRemove('team-b', { group: 'b' });
    for (const network of ['sepolia', 'mainnet'])
      expect(await outcome(create(a, 'team-a', { group: 'a', network }))).toEqual(OF_SIGNER);
    expect((await service.get(`${RELAYERS}/team-a`)).status).toBe(404);
    expect(await outcome(create(b, 'team-b2', { group: 'b', network: 'mainnet' }))).toBe(201);
  });

  it('does not allow a signer of a relayer without a group', async () => {
    await addAndRemove('nobody', {});
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toEqual(OF_SIGNER);
    const naming = await KeyHolder.add(service, { relayers: ['nobody'], groups: ['a'] });
    expect(await outcome(create(naming, 'team-a', { group: 'a' }))).toBe(201);
  });

  it('does not allow another signer with the key of a relayer that was outside it', async () => {
    const address = await addAndRemove('team-b', { group: 'b' });
    await addSigner('copy');
    const copy = { group: 'a', signer_id: 'copy', network: 'mainnet' };
    expect(await outcome(create(a, 'team-a', copy))).toEqual(ofAddress(address));
    await remove('/api/v1/signers/s');
    expect(await outcome(create(a, 'team-a', copy))).toEqual(ofAddress(address));
    expect(await outcome(create(b, 'team-b2', { ...copy, group: 'b' }))).toBe(201);
  });

  it('allows a new signer with the id of a deleted one, but not with its key', async () => {
    const address = await addAndRemove('team-b', { group: 'b' });
    await remove('/api/v1/signers/s');
    await addSigner('s');
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toEqual(ofAddress(address));
    await remove('/api/v1/signers/s');
    await addSigner('s', service.keepSecret('56'.repeat(32)));
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toBe(201);
  });

  it('includes the group of the relayer when it was deleted, not an earlier one', async () => {
    expect(await outcome(create(unlimited, 'moved', { group: 'b' }))).toBe(201);
    expect((await service.patch(`${RELAYERS}/moved`, { group: 'a' })).status).toBe(200);
    await remove(`${RELAYERS}/moved`);
    expect(await outcome(create(b, 'team-b', { group: 'b' }))).toEqual(OF_SIGNER);
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toBe(201);
  });

  it('does not include an id with transactions that are older than the audit log', async () => {
    const address = await addAndRemove('old', { group: 'a' });
    expect(address).toBeTruthy();
    await addEndedTransaction(service, { id: randomUUID(), relayerId: 'old' });
    await service.app.get(DataSource).query("DELETE FROM audit_events WHERE relayer_id = 'old'");
    const refused = [403, 'this API key cannot reach what is left of an earlier relayer with this id'];
    expect(await outcome(create(a, 'old', { group: 'a' }))).toEqual(refused);
    const naming = await KeyHolder.add(service, { relayers: ['old'], groups: ['a'] });
    expect(await outcome(create(naming, 'old', { group: 'a' }))).toBe(201);
  });

  it('follows an unlimited key that gives the account to others', async () => {
    await addAndRemove('team-b', { group: 'b' });
    expect(await outcome(create(unlimited, 'given', { group: 'a' }))).toBe(201);
    expect(await outcome(create(a, 'team-a', { group: 'a', network: 'mainnet' }))).toBe(201);
    for (const id of ['team-a', 'given']) await remove(`${RELAYERS}/${id}`);
    expect(await outcome(create(b, 'team-b2', { group: 'b' }))).toEqual(OF_SIGNER);
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toBe(201);
  });

  it('is that of the last relayer on each network, whichever was deleted last', async () => {
    for (const [id, group, network] of [
      ['one', 'a', 'mainnet'],
      ['two', 'b', 'sepolia'],
    ])
      expect(await outcome(create(unlimited, id!, { group, network }))).toBe(201);
    await remove(`${RELAYERS}/two`);
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toEqual(OF_SIGNER);
    await remove(`${RELAYERS}/one`);
    for (const network of ['sepolia', 'mainnet']) {
      expect(await outcome(create(a, 'team-a', { group: 'a', network }))).toEqual(OF_SIGNER);
      expect(await outcome(create(b, 'team-b', { group: 'b', network }))).toEqual(OF_SIGNER);
    }
    const both = await KeyHolder.add(service, { groups: ['a', 'b'] });
    expect(await outcome(create(both, 'shared', { group: 'a' }))).toBe(201);
  });

  it('does not include the account of a relayer whose row was altered, and allows the root key everything', async () => {
    expect(await outcome(create(unlimited, 'altered', { group: 'a' }))).toBe(201);
    await service.app.get(DataSource).query("UPDATE relayers SET name = 'x' WHERE id = 'altered'");
    await remove(`${RELAYERS}/altered`);
    expect(await outcome(create(a, 'team-a', { group: 'a' }))).toEqual(OF_SIGNER);
    const body = { id: 'by-root', name: 'R', network: 'sepolia', network_type: 'evm', signer_id: 's' };
    expect((await service.post(RELAYERS, { ...body, paused: true })).status).toBe(201);
  });

  it('is the same after an upgrade, for the deletions in the audit log', async () => {
    const dataSource = service.app.get(DataSource);
    const rows = () =>
      dataSource.query(
        'SELECT address, network_type, network, signer_id, relayer_id, relayer_group FROM former_accounts ORDER BY network, address',
      );
    await addAndRemove('earlier', { group: 'b' });
    await addAndRemove('last', {});
    await addAndRemove('elsewhere', { group: 'a', network: 'mainnet' });
    await addSigner('gone', service.keepSecret('56'.repeat(32)));
    await addSigner('again', service.keepSecret('78'.repeat(32)));
    for (const id of ['gone', 'again']) {
      await addAndRemove(id, { group: 'a', signer_id: id });
      await remove(`/api/v1/signers/${id}`);
    }
    await addSigner('again');
    const before = (await rows()) as { relayer_id: string }[];
    expect(before.map(({ relayer_id: id }) => id).sort()).toEqual(['again', 'elsewhere', 'gone', 'last']);
    const isStored = async () =>
      (await dataSource.query("SELECT 1 FROM migrations WHERE name LIKE 'CreateFormerAccounts%'")).length > 0;
    while (await isStored()) await dataSource.undoLastMigration({ transaction: 'each' });
    await migrate(dataSource);
    expect(await rows()).toEqual(expect.arrayContaining(before));
  });

  it('keeps one row for each account', async () => {
    for (const id of ['first', 'second', 'third']) await addAndRemove(id, { group: 'a' });
    const rows = await service.app
      .get(DataSource)
      .query('SELECT network_type, network, signer_id, relayer_id, relayer_group FROM former_accounts');
    expect(rows).toEqual([
      { network_type: 'evm', network: 'sepolia', signer_id: 's', relayer_id: 'third', relayer_group: 'a' },
    ]);
  });
});

describeService(
  'Approval of relayers with the accounts of deleted ones',
  { settings: { APPROVALS: 'unpause=1' } },
  ({ service }) => {
    it('is given by those who could reach the deleted ones', async () => {
      const key = service.keepSecret(KEY);
      await service.post('/api/v1/signers', { id: 's', type: 'plain', config: { key } });
      const body = { name: 'R', network: 'sepolia', network_type: 'evm', signer_id: 's' };
      await service.post(RELAYERS, { ...body, id: 'team-b', group: 'b', paused: true });
      await service.call({ method: 'DELETE', path: `${RELAYERS}/team-b` });
      const requester = await KeyHolder.add(service);
      const wanted = await requester.call('POST', RELAYERS, {
        ...body,
        id: 'new',
        group: 'a',
        paused: false,
      });
      expect(wanted.status).toBe(202);
      const approver = (groups: string[]) => KeyHolder.add(service, { scopes: ['approve'], groups });
      const change = wanted.body.data.id as string;
      const refused = await (await approver(['a'])).approve(change);
      expect([refused.status, refused.body.error]).toEqual([
        403,
        "this API key cannot reach every earlier relayer that signer 's' served",
      ]);
      expect((await (await approver(['a', 'b'])).approve(change)).body.data.status).toBe('applied');
    });
  },
);
