import { RelayersApi, type RelayerPatch } from '../../src/public';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';

const PAGE = { page: 1, per_page: 10 };

describeService(
  'Approvals of changes that no client requests',
  { settings: { APPROVALS: 'loosen_policy=2,unpause=1,api_key_scope=1' }, onlySqlite: true },
  ({ service }) => {
    let id: string;
    let relayers: RelayersApi;

    beforeAll(async () => {
      const policies = { messages: { allow: 'none' as const } };
      ({ id } = await addRelayer(service, { paused: true, policies }));
      relayers = service.app.get<RelayersApi>(RelayersApi, { strict: false });
    });

    const shown = async (): Promise<unknown> => {
      const { paused, policies, name } = await relayers.get(id);
      return { paused, policies, name };
    };

    const refused: [string, RelayerPatch, string][] = [
      ['unpausing', { paused: false }, '1 other API keys (unpause)'],
      ['loosening', { policies: { messages: null } }, '2 other API keys (loosen_policy)'],
      ['both', { paused: false, policies: { messages: null } }, '2 other API keys (loosen_policy, unpause)'],
    ];

    it.each(refused)('refuses %s', async (_what, patch, whose) => {
      const before = await shown();
      await expect(relayers.update(id, patch)).rejects.toMatchObject({
        code: 'approval_required',
        detail: `this needs the approval of ${whose}, and no client requested it`,
      });
      expect(await shown()).toEqual(before);
    });

    it('refuses a new relayer', async () => {
      const key = service.keepSecret('5e'.repeat(32));
      await service.post('/api/v1/signers', { id: 'new', type: 'plain', config: { key } });
      const relayer = { id: 'new', name: 'New', network: 'sepolia', signer_id: 'new', paused: true } as const;
      await expect(relayers.create({ ...relayer, network_type: 'evm' })).rejects.toMatchObject({
        code: 'approval_required',
      });
      expect((await relayers.list(PAGE)).items.map((one) => one.id)).toEqual([id]);
    });

    it('is not needed for other changes', async () => {
      expect(await relayers.update(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
      expect(await relayers.update(id, { paused: true })).toMatchObject({ paused: true });
    });

    it('is not needed for keys that a command creates, which can then approve', async () => {
      const holder = await KeyHolder.add(service);
      const { body } = await service.patch(`/api/v1/relayers/${id}`, { paused: false });
      expect((await holder.approve(body.data.id as string)).status).toBe(200);
      expect((await relayers.get(id)).paused).toBe(false);
    });
  },
);
