import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { changeOutcome, pendingChange } from '../support/pending-changes';

const APPROVALS = 'loosen_policy=2,unpause=2,api_key_scope=2,signer_delete=2';
const CONFLICT = [409, 'Change cannot be applied'];
const limited = (max_value: number): object => ({ policies: { transactions: { max_value } } });

describeService(
  'Approvals of an earlier state that was restored are void',
  { settings: { APPROVALS } },
  ({ service }) => {
    let requester: KeyHolder;
    let one: KeyHolder;
    let two: KeyHolder;

    beforeAll(async () => {
      requester = await KeyHolder.add(service);
      one = await KeyHolder.add(service, { scopes: ['approve'] });
      two = await KeyHolder.add(service, { scopes: ['approve'] });
    });

    const request = async (method: string, path: string, body?: object): Promise<string> =>
      pendingChange(await requester.call(method, path, body));
    const apply = async (change: string): Promise<void> => {
      await one.approve(change);
      expect(changeOutcome(await two.approve(change))).toEqual([200, 'applied']);
    };
    const make = async (method: string, path: string, body?: object): Promise<HttpResponse> => {
      const response = await requester.call(method, path, body);
      expect([200, 201]).toContain(response.status);
      return response;
    };
    const shown = async (path: string): Promise<Record<string, unknown>> =>
      (await service.get(path)).body.data as Record<string, unknown>;
    const pathOf = (id: string): string => `/api/v1/relayers/${id}`;

    it('if policies were loosened and tightened again', async () => {
      const { id } = await addRelayer(service, limited(99_999));
      const before = await shown(pathOf(id));
      const large = await request('PATCH', pathOf(id), limited(5_000_000));
      await one.approve(large);
      await apply(await request('PATCH', pathOf(id), limited(200_000)));
      await make('PATCH', pathOf(id), limited(99_999));
      expect(await shown(pathOf(id))).toEqual(before);
      expect(changeOutcome(await two.approve(large))).toEqual(CONFLICT);
      expect(await shown(pathOf(id))).toEqual(before);
    });

    it('if a relayer was resumed and paused again', async () => {
      const { id } = await addRelayer(service, { paused: true });
      const [resumed, left] = [
        await request('PATCH', pathOf(id), { paused: false }),
        await request('PATCH', pathOf(id), { paused: false }),
      ];
      await one.approve(left);
      await apply(resumed);
      await make('PATCH', pathOf(id), { paused: true });
      expect(changeOutcome(await two.approve(left))).toEqual(CONFLICT);
      expect(await shown(pathOf(id))).toMatchObject({ paused: true });
    });

    it('if a relayer was created, and deleted again', async () => {
      const { id, name, network, signerId } = await addRelayer(service);
      await make('DELETE', pathOf(id));
      const body = { id, name, network, network_type: 'evm', signer_id: signerId, paused: false };
      const tight = { ...body, policies: { messages: { allow: 'none' } } };
      // For the same id, and for the same account.
      const loose = [
        await request('POST', '/api/v1/relayers', body),
        await request('POST', '/api/v1/relayers', { ...body, id: `${id.slice(0, 30)}-other` }),
      ];
      for (const change of loose) await one.approve(change);
      await apply(await request('POST', '/api/v1/relayers', tight));
      await make('DELETE', pathOf(id));
      for (const change of loose) expect(changeOutcome(await two.approve(change))).toEqual(CONFLICT);
      expect((await service.get(pathOf(id))).status).toBe(404);
    });

    it('if a relayer was deleted, and created again as it was', async () => {
      const { id, name, network, signerId } = await addRelayer(service, limited(99_999));
      const loose = await request('PATCH', pathOf(id), limited(5_000_000));
      await one.approve(loose);
      await make('DELETE', pathOf(id));
      const body = { id, name, network, network_type: 'evm', signer_id: signerId, paused: false };
      await apply(await request('POST', '/api/v1/relayers', { ...body, ...limited(99_999) }));
      expect(changeOutcome(await two.approve(loose))).toEqual(CONFLICT);
    });

    it('if an API key was widened and narrowed again', async () => {
      const { id } = await KeyHolder.add(service, { scopes: ['relayers:read'], groups: ['one'] });
      const path = `/api/v1/api-keys/${id}`;
      const all = await request('PATCH', path, { groups: null });
      await one.approve(all);
      await apply(await request('PATCH', path, { groups: ['one', 'two'] }));
      await make('PATCH', path, { groups: ['one'] });
      expect(changeOutcome(await two.approve(all))).toEqual(CONFLICT);
      expect(await shown(path)).toMatchObject({ groups: ['one'] });
    });

    it('but not those of a state that was only written again', async () => {
      const { id } = await addRelayer(service, { ...limited(99_999), name: 'Same' });
      const loose = await request('PATCH', pathOf(id), limited(5_000_000));
      await one.approve(loose);
      await make('PATCH', pathOf(id), { name: 'Same', paused: false, ...limited(99_999) });
      expect(changeOutcome(await two.approve(loose))).toEqual([200, 'applied']);
      const key = await KeyHolder.add(service, { scopes: ['relayers:read'], groups: ['one'] });
      const path = `/api/v1/api-keys/${key.id}`;
      const all = await request('PATCH', path, { groups: null });
      await make('PATCH', path, { groups: ['one'], name: 'Holder' });
      await apply(all);
    });
  },
);
