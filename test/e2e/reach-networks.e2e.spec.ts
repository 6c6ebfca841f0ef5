import { setTimeout as sleep } from 'node:timers/promises';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { addRelayer, emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';

const NETWORKS = '/api/v1/networks';
const TEAM = 'evm:team-chain';
const URLS = [{ url: 'http://127.0.0.1:9/mine', weight: 100 }];
const REFUSED = [403, "this API key cannot reach every relayer on network 'evm:team-chain'"];

const outcome = ({ status, body }: HttpResponse): unknown => (status < 300 ? status : [status, body.error]);

describeService('The reach of API keys that change networks', ({ service }) => {
  let team: KeyHolder;

  beforeAll(async () => {
    team = await KeyHolder.add(service, { scopes: ['networks:read', 'networks:write'], groups: ['team'] });
  });

  beforeEach(async () => {
    expect(outcome(await create(team))).toBe(201);
  });

  afterEach(async () => {
    await emptyTables(service);
    expect((await service.call({ method: 'DELETE', path: `${NETWORKS}/${TEAM}` })).status).toBeLessThan(500);
  });

  const create = (holder: KeyHolder) =>
    holder.call('POST', NETWORKS, { name: 'team-chain', network_type: 'evm', chain_id: 4_242_424_242 });
  const change = (body: object, holder = team) => holder.call('PATCH', `${NETWORKS}/${TEAM}`, body);
  const remove = (holder = team) => holder.call('DELETE', `${NETWORKS}/${TEAM}`);
  const add = (id: string, group: string | null) =>
    addRelayer(service, { id, signerId: id, name: `Relayer ${id}`, group, network: 'team-chain' });

  it('allow a team to create, change and delete a network of its own', async () => {
    expect(outcome(await change({ rpc_urls: URLS }))).toBe(200);
    await add('one', 'team');
    await add('two', 'team');
    expect(outcome(await change({ rpc_urls: URLS, fees: { min_priority_fee: 1 } }))).toBe(200);
    expect(outcome(await remove())).toEqual([
      409,
      "Network 'evm:team-chain' is used by 2 relayer(s): Relayer one (one), Relayer two (two)",
    ]);
    await emptyTables(service);
    expect(outcome(await remove())).toBe(200);
  });

  it.each(['other', null])('do not allow changes that concern a relayer of the group %s', async (group) => {
    await add('one', 'team');
    await add('theirs', group);
    for (const body of [
      { rpc_urls: URLS },
      { private_rpc_urls: URLS },
      { private_fallback_blocks: 1 },
      { fees: { min_priority_fee: '340282366920938463463374607431768211455' } },
      { rpc_methods: ['eth_sendRawTransaction'] },
    ])
      expect(outcome(await change(body))).toEqual(REFUSED);
    expect((await service.get(`${NETWORKS}/${TEAM}`)).body.data.rpc_urls).toEqual([]);
    expect(outcome(await remove())).toEqual([
      409,
      "Network 'evm:team-chain' is used by 2 relayer(s): Relayer one (one) and 1 more",
    ]);
    await service.call({ method: 'DELETE', path: '/api/v1/relayers/theirs' });
    expect(outcome(await change({ rpc_urls: URLS }))).toBe(200);
  });

  it('do not include networks of others, whichever relayers are on them', async () => {
    const other = await KeyHolder.add(service, { groups: ['team'] });
    const refused = [403, "this API key has not created network 'evm:team-chain'"];
    expect(outcome(await change({ rpc_urls: URLS }, other))).toEqual(refused);
    expect(outcome(await remove(other))).toEqual(refused);
    await add('one', 'team');
    expect(outcome(await change({ rpc_urls: URLS }, other))).toEqual(refused);
    expect(outcome(await remove(other))).toEqual(refused);
    expect((await service.get(`${NETWORKS}/${TEAM}`)).body.data.rpc_urls).toEqual([]);
    const builtIn = `${NETWORKS}/evm:sepolia`;
    for (const call of [team.call('PATCH', builtIn, { rpc_urls: URLS }), team.call('DELETE', builtIn)])
      expect(outcome(await call)).toEqual([403, "this API key has not created network 'evm:sepolia'"]);
  });

  it('do not restrict unlimited keys', async () => {
    await add('theirs', 'other');
    const unlimited = await KeyHolder.add(service, { scopes: ['networks:write'] });
    expect(outcome(await change({ rpc_urls: URLS }, unlimited))).toBe(200);
    expect(outcome(await service.patch(`${NETWORKS}/${TEAM}`, { rpc_urls: URLS }))).toBe(200);
  });

  it('include relayers that have RPC endpoints of their own, because fees apply to them too', async () => {
    await addRelayer(service, {
      ...{ id: 'theirs', signerId: 'theirs', network: 'team-chain', customRpcUrls: URLS },
    });
    expect(outcome(await change({ fees: null }))).toEqual(REFUSED);
  });

  it('include a relayer that is being created at the same time', async () => {
    let changed: Promise<HttpResponse> | undefined;
    await service.app.get(UnitOfWork, { strict: false }).run(async () => {
      await add('theirs', 'other');
      changed = change({ rpc_urls: URLS });
      await sleep(300);
    });
    expect(outcome(await changed!)).toEqual(REFUSED);
  });

  it('do not reveal more about networks than others see', async () => {
    const missing = await team.call('PATCH', `${NETWORKS}/evm:nobody`, { rpc_urls: URLS });
    expect(outcome(missing)).toEqual([404, "Network with ID 'evm:nobody' not found"]);
    await add('theirs', 'other');
    expect((await change({})).status).toBe(400);
    expect(outcome(await create(team))).toEqual([409, 'Network with this ID already exists']);
  });
});
