import { DataSource } from 'typeorm';
import { emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { pendingChange } from '../support/pending-changes';

const RELAYERS = '/api/v1/relayers';
const SIGNERS = '/api/v1/signers';
const KEY = '35'.repeat(32);
const RELAYER = { name: 'R', network: 'sepolia', network_type: 'evm', signer_id: 's', paused: true };

const OF_SIGNER = [403, "this API key cannot reach every earlier relayer that signer 's' served"];
const DELETED = [200, 'Signer deleted successfully'];

const outcome = ({ status, body }: HttpResponse): unknown[] => [
  status,
  status < 300 ? body.data : body.error,
];

describeService('The reach of API keys that delete signers', ({ service }) => {
  let [a, b]: KeyHolder[] = [];

  beforeAll(async () => {
    service.keepSecret(KEY);
    a = await KeyHolder.add(service, { groups: ['a'] });
    b = await KeyHolder.add(service, { groups: ['b'] });
  });

  beforeEach(() => addSigner('s'));

  afterEach(() => emptyTables(service));

  const addSigner = async (id: string, holder?: KeyHolder): Promise<void> => {
    const body = { id, type: 'plain', config: { key: KEY } };
    const { status } = await (holder?.call('POST', SIGNERS, body) ?? service.post(SIGNERS, body));
    expect(status).toBe(201);
  };
  const add = async (id: string, fields: object): Promise<string> => {
    const { status, body } = await service.post(RELAYERS, { ...RELAYER, id, ...fields });
    expect(status).toBe(201);
    return body.data.address as string;
  };
  const remove = async (id: string): Promise<void> => {
    expect((await service.call({ method: 'DELETE', path: `${RELAYERS}/${id}` })).status).toBe(200);
  };
  const deletion = async (holder: KeyHolder | undefined, id = 's'): Promise<unknown[]> =>
    outcome(await holder!.call('DELETE', `${SIGNERS}/${id}`));

  it('does not include a signer that no relayer has ever used, unless the key has created it', async () => {
    expect(await deletion(a)).toEqual([
      403,
      "this API key has not created signer 's', and reaches no relayer that used it",
    ]);
    expect((await service.get(`${SIGNERS}/s`)).status).toBe(200);
    await addSigner('own', a);
    expect((await deletion(b, 'own'))[0]).toBe(403);
    expect(await deletion(a, 'own')).toEqual(DELETED);
    expect((await deletion(a, 'own'))[0]).toBe(404);
  });

  it('does not tell a key that may not use a signer on which networks others use it', async () => {
    await add('team-b', { group: 'b' });
    const create = (network: string) =>
      a!.call('POST', RELAYERS, { ...RELAYER, id: 'mine', group: 'a', network });
    const [taken, free] = [outcome(await create('sepolia')), outcome(await create('base-sepolia'))];
    expect(taken).toEqual([403, expect.any(String)]);
    expect(taken).toEqual(free);
  });

  it('does not include the signer of a deleted relayer that was outside it', async () => {
    await add('team-b', { group: 'b' });
    await remove('team-b');
    expect(await deletion(a)).toEqual(OF_SIGNER);
    expect((await service.get(`${SIGNERS}/s`)).status).toBe(200);
    expect(await deletion(b)).toEqual(DELETED);
  });

  it('includes the signer of a deleted relayer without a group only if it names the relayer', async () => {
    await add('nobody', {});
    await remove('nobody');
    expect(await deletion(a)).toEqual(OF_SIGNER);
    expect(await deletion(await KeyHolder.add(service, { relayers: ['nobody'] }))).toEqual(DELETED);
  });

  it('includes every signer if it is unlimited', async () => {
    await add('team-b', { group: 'b' });
    await remove('team-b');
    expect(await deletion(await KeyHolder.add(service))).toEqual(DELETED);
  });

  it('does not include another signer with the key of a relayer outside it, deleted or not', async () => {
    const address = await add('team-b', { group: 'b' });
    await addSigner('copy');
    expect(await deletion(a, 'copy')).toEqual([
      403,
      `this API key cannot reach every relayer with the address ${address}`,
    ]);
    await remove('team-b');
    expect(await deletion(b)).toEqual(DELETED);
    // The only copy of the key, under another id.
    expect(await deletion(a, 'copy')).toEqual([
      403,
      `this API key cannot reach every earlier relayer with the address ${address}`,
    ]);
    expect(await deletion(b, 'copy')).toEqual(DELETED);
  });

  it('does not change the response if the signer is in use', async () => {
    await add('team-b', { group: 'b' });
    expect(await deletion(a)).toEqual([409, "Signer 's' is used by 1 relayer(s)"]);
    expect(await deletion(b)).toEqual([409, "Signer 's' is used by 1 relayer(s): R (team-b)"]);
  });

  it('does not include a signer whose row was altered, because its address is unknown', async () => {
    await service.app.get(DataSource).query("UPDATE signers SET address = NULL WHERE id = 's'");
    expect(await deletion(a)).toEqual([
      403,
      "this API key cannot reach the account of signer 's', which is unknown",
    ]);
    expect(await deletion(await KeyHolder.add(service))).toEqual(DELETED);
  });

  it('is decided together with the deletion of the last relayer', async () => {
    for (let i = 0; i < 15; i += 1) {
      await add(`team-b${i}`, { group: 'b' });
      const attempts = Promise.all(Array.from({ length: 5 }, () => deletion(a)));
      await remove(`team-b${i}`);
      expect((await attempts).map(([status]) => status)).not.toContain(200);
    }
    expect(await deletion(a)).toEqual(OF_SIGNER);
  });
});

const settings = { APPROVALS: 'signer_delete=1' };

describeService('The reach of API keys that request the deletion of signers', { settings }, ({ service }) => {
  it('is asserted at the request and when it is applied', async () => {
    const key = service.keepSecret(KEY);
    await service.post(SIGNERS, { id: 's', type: 'plain', config: { key } });
    const use = async (id: string, group: string) => {
      await service.post(RELAYERS, { ...RELAYER, id, group });
      await service.call({ method: 'DELETE', path: `${RELAYERS}/${id}` });
    };
    const a = await KeyHolder.add(service, { groups: ['a'] });
    const b = await KeyHolder.add(service, { groups: ['b'] });
    const approver = await KeyHolder.add(service, { scopes: ['approve'] });
    await use('one', 'b');
    expect(outcome(await a.call('DELETE', `${SIGNERS}/s`))).toEqual(OF_SIGNER);
    const change = pendingChange(await b.call('DELETE', `${SIGNERS}/s`));
    await use('two', 'a');
    expect(outcome(await approver.approve(change))).toEqual([409, OF_SIGNER[1]]);
    expect((await service.get(`${SIGNERS}/s`)).status).toBe(200);
    const again = pendingChange(await a.call('DELETE', `${SIGNERS}/s`));
    expect((await approver.approve(again)).body.data.status).toBe('applied');
  });
});
