import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { pendingChange } from '../support/pending-changes';

const TIGHT = { messages: { allow: 'text' } };
const NO_SOURCE = 'this API key cannot reach the relayer of policies.top_up.from_relayer';

const settings = { APPROVALS: 'loosen_policy=2' };

describeService('Approvals of changes that concern several relayers', { settings }, ({ service }) => {
  let requester: KeyHolder;
  let everywhere: KeyHolder;
  let relayer: string;
  let source: string;

  beforeAll(async () => {
    requester = await KeyHolder.add(service);
    everywhere = await KeyHolder.add(service, { scopes: ['approve'] });
  });

  beforeEach(async () => {
    relayer = (await addRelayer(service, { policies: TIGHT })).id;
    source = (await addRelayer(service)).id;
  });

  const approver = (...relayers: string[]) => KeyHolder.add(service, { scopes: ['approve'], relayers });
  const patch = (policies: object) => requester.call('PATCH', `/api/v1/relayers/${relayer}`, { policies });
  const topUp = (amounts: object = { below: '1', to: '2' }) =>
    patch({ top_up: { from_relayer: source, ...amounts } });
  const outcome = ({ status, body }: HttpResponse): unknown[] =>
    status < 300 ? [status, body.data.status] : [status, body.error];
  const applied = async (change: string, holder: KeyHolder): Promise<void> => {
    await everywhere.approve(change);
    expect(outcome(await holder.approve(change))).toEqual([200, 'applied']);
  };

  it('are given by those who also reach the source of a top-up', async () => {
    const [near, both] = [await approver(relayer), await approver(relayer, source)];
    const change = pendingChange(await topUp());
    expect(outcome(await near.approve(change))).toEqual([403, NO_SOURCE]);
    expect((await near.show(change)).body.data.approvals).toEqual([]);
    await applied(change, both);
    const more = pendingChange(await patch({ top_up: { to: '3' } }));
    expect(outcome(await near.approve(more))).toEqual([403, NO_SOURCE]);
    await applied(more, both);
    await applied(pendingChange(await patch({ messages: null })), near);
  });

  it('are refused by those who do not, since that only stops something', async () => {
    const near = await approver(relayer);
    expect(outcome(await near.reject(pendingChange(await topUp())))).toEqual([200, 'rejected']);
  });

  it('do not count once their key no longer reaches the source', async () => {
    const both = await approver(relayer, source);
    const change = pendingChange(await topUp());
    expect(outcome(await both.approve(change))).toEqual([200, 'pending']);
    const path = `/api/v1/api-keys/${both.id}`;
    expect((await service.patch(path, { relayers: [relayer] })).status).toBe(200);
    expect(outcome(await everywhere.approve(change))).toEqual([200, 'pending']);
    expect(outcome(await (await approver(relayer, source)).approve(change))).toEqual([200, 'applied']);
  });

  it('are given by those who reach the source and the signer of a new relayer', async () => {
    const { signerId, id: other } = await addRelayer(service, { network: 'mainnet' });
    const create = async (id: string, policies: object): Promise<string> => {
      const body = { id, name: 'New', network: 'sepolia', network_type: 'evm', paused: true };
      return pendingChange(
        await requester.call('POST', '/api/v1/relayers', { ...body, signer_id: signerId, policies }),
      );
    };
    const change = await create('new', { top_up: { from_relayer: source, below: '1', to: '2' } });
    expect(outcome(await (await approver('new', other)).approve(change))).toEqual([403, NO_SOURCE]);
    expect(outcome(await (await approver('new', source)).approve(change))).toEqual([
      403,
      `this API key cannot reach every relayer that signer '${signerId}' serves`,
    ]);
    await applied(change, await approver('new', other, source));
  });

  it('are given by those who reach the relayers of other signers with the same key', async () => {
    const key = service.keepSecret('7'.repeat(64));
    for (const id of ['one', 'two'])
      await service.post('/api/v1/signers', { id, type: 'plain', config: { key } });
    const create = (id: string, signer: string, network: string) =>
      requester.call('POST', '/api/v1/relayers', {
        ...{ id, name: 'New', network, network_type: 'evm', paused: true, signer_id: signer, policies: {} },
      });
    await applied(pendingChange(await create('first', 'one', 'mainnet')), await approver('first'));
    const { address } = (await service.get('/api/v1/relayers/first')).body.data as { address: string };
    const change = pendingChange(await create('second', 'two', 'sepolia'));
    expect(outcome(await (await approver('second')).approve(change))).toEqual([
      403,
      `this API key cannot reach every relayer with the address ${address}`,
    ]);
    await applied(change, await approver('first', 'second'));
  });
});
