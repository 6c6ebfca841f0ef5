import { RelayersService } from '../../src/relayers/relayers.service';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const WITHOUT_CHAIN = {
  domain: { name: 'Orders' },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: '1' },
};
const ON_SEPOLIA = { ...WITHOUT_CHAIN, domain: { name: 'Orders', chainId: 11_155_111 } };
const ON_MAINNET_ONLY = { typed_data: { allowed: [{ chain_id: 1 }] } };
const VALID_ON_EVERY_CHAIN = 'without a chain id the signature is valid on every chain, and ';

describeService(
  'A signature without a chain id',
  { settings: { APPROVALS: 'unfreeze=1' } },
  ({ service }) => {
    beforeEach(async () => {
      await addRelayer(service, { id: 'main', network: 'mainnet', privateKey: COW_KEY });
      await addRelayer(service, { id: 'test', network: 'sepolia', privateKey: COW_KEY });
    });

    afterEach(async () => {
      for (const id of ['main', 'test'])
        await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
    });

    const sign = (body: object, id = 'test') => service.post(`/api/v1/relayers/${id}/sign-typed-data`, body);
    const say = (message: string, id = 'test') => service.post(`/api/v1/relayers/${id}/sign`, { message });
    const change = (id: string, body: object) => service.patch(`/api/v1/relayers/${id}`, body);

    it('is created if each relayer of the address allows it', async () => {
      expect((await sign(HASHES)).status).toBe(200);
      expect((await sign(WITHOUT_CHAIN)).status).toBe(200);
      expect((await say('hello')).status).toBe(200);
      await change('main', {
        policies: { messages: { allow: 'any' }, typed_data: { allow_blind_hashes: true } },
      });
      expect((await sign(HASHES)).status).toBe(200);
      expect((await say('hello')).status).toBe(200);
    });

    it('is refused by the policies of a relayer with the same address on another chain', async () => {
      await change('main', { policies: ON_MAINNET_ONLY });
      const hashes = await sign(HASHES);
      expect([hashes.status, hashes.body.message]).toEqual([403, 'Typed data not allowed by policy']);
      expect(hashes.body.error).toBe(
        `${VALID_ON_EVERY_CHAIN}relayer 'main', which has the same address, does not allow it: policies.typed_data is set, and policies.typed_data.allow_blind_hashes is not true`,
      );
      expect((await sign(WITHOUT_CHAIN)).status).toBe(403);
      const message = await say('hello');
      expect([message.status, message.body.message]).toEqual([403, 'Message not allowed by policy']);
      // A chain id binds a signature to the chain of the relayer.
      expect((await sign(ON_SEPOLIA)).status).toBe(200);
    });

    it('is refused while a relayer with the same address is paused', async () => {
      await change('main', { paused: true });
      const hashes = await sign(HASHES);
      expect([hashes.status, hashes.body.message]).toEqual([403, 'Relayer paused']);
      expect(hashes.body.error).toBe(
        `${VALID_ON_EVERY_CHAIN}relayer 'main', which has the same address, does not allow it: it is paused`,
      );
      expect((await sign(ON_SEPOLIA)).status).toBe(200);
      const batch = await service.post('/api/v1/relayers/test/sign-typed-data/batch', {
        items: [HASHES, ON_SEPOLIA],
      });
      const items = batch.body.data as { success: boolean }[];
      expect(items.map(({ success }) => success)).toEqual([false, true]);
      await change('main', { paused: false });
      expect((await sign(HASHES)).status).toBe(200);
    });

    it('is decided again with a relayer that was created meanwhile', async () => {
      await service.call({ method: 'DELETE', path: '/api/v1/relayers/main' });
      const relayers = service.app.get(RelayersService);
      const before = await relayers.getForSigning('test');
      expect((await relayers.getAgain(before)).others).toEqual([]);
      await addRelayer(service, { id: 'main', network: 'mainnet', privateKey: COW_KEY, paused: true });
      const { relayer, others } = await relayers.getAgain(before);
      expect(relayer.id).toBe('test');
      expect(others).toMatchObject([{ id: 'main', paused: true }]);
    });

    it('names no relayer that is out of the reach of the API key', async () => {
      await change('main', { policies: ON_MAINNET_ONLY });
      const holder = await KeyHolder.add(service, { scopes: ['sign:typed-data'], relayers: ['test'] });
      const { status, body } = await holder.call('POST', '/api/v1/relayers/test/sign-typed-data', HASHES);
      expect([status, body.error]).toEqual([
        403,
        `${VALID_ON_EVERY_CHAIN}another relayer, which has the same address, does not allow it`,
      ]);
    });

    it('does not depend on relayers with other addresses', async () => {
      await addRelayer(service, { id: 'other', network: 'sepolia', paused: true });
      expect((await service.get('/api/v1/relayers/test')).body.data.address).toBe(COW_ADDRESS);
      expect((await sign(HASHES)).status).toBe(200);
    });
  },
);

describeService(
  'Deleting a relayer whose address others have',
  { settings: { APPROVALS: 'loosen_policy=1,unpause=1' } },
  ({ service }) => {
    const remove = (id: string) => service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
    let approver: KeyHolder;

    beforeEach(async () => {
      approver = await KeyHolder.add(service, { scopes: ['approve'] });
    });

    it('needs no approval if it does not restrict what they sign', async () => {
      const policies = { gas_price_cap: '5', whitelist_receivers: [] };
      await addRelayer(service, { id: 'main', network: 'mainnet', privateKey: COW_KEY, policies });
      await addRelayer(service, { id: 'test', network: 'sepolia', privateKey: COW_KEY });
      for (const id of ['main', 'test']) expect((await remove(id)).status).toBe(200);
    });

    it.each([
      ['restricts', { policies: ON_MAINNET_ONLY }, { policies: null }],
      ['pauses', { paused: true }, { paused: false }],
    ])('needs the approval that loosening needs if it %s them', async (_what, state, loosened) => {
      await addRelayer(service, { id: 'main', network: 'mainnet', privateKey: COW_KEY });
      await addRelayer(service, { id: 'test', network: 'sepolia', privateKey: COW_KEY });
      expect((await service.patch('/api/v1/relayers/main', state)).status).toBe(200);
      const refused = await remove('main');
      expect([refused.status, refused.body.message]).toEqual([409, 'Relayer is in use']);
      expect(refused.body.error).toMatch(
        /^Other relayers have the address of relayer 'main', .*, which needs approval$/,
      );
      const pending = await service.patch('/api/v1/relayers/main', loosened);
      expect(pending.status).toBe(202);
      await approver.approve(pending.body.data.id as string);
      expect((await remove('main')).status).toBe(200);
      // The last one with the address restricts nobody.
      await service.patch('/api/v1/relayers/test', state);
      expect((await remove('test')).status).toBe(200);
    });
  },
);
