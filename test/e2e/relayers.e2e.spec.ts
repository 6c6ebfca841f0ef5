import { DataSource } from 'typeorm';
import { RelayerEntity } from '../../src/relayers/relayer.entity';
import { addRelayer, COW_ADDRESS, COW_KEY, emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';

describeService('Relayers', ({ service }) => {
  afterEach(() => emptyTables(service));

  const disable = (id: string, reason: RelayerEntity['disabledReason']): Promise<unknown> =>
    service.app
      .get(DataSource)
      .getRepository(RelayerEntity)
      .update({ id }, { systemDisabled: true, disabledReason: reason });

  describe('GET /api/v1/relayers', () => {
    it('returns an empty list with its pagination', async () => {
      const response = await service.get('/api/v1/relayers');
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        success: true,
        data: [],
        error: null,
        pagination: { current_page: 1, per_page: 10, total_items: 0 },
      });
    });

    it('includes only fields that are set', async () => {
      await addRelayer(service, { id: 'cow', name: 'Cow', privateKey: COW_KEY });
      expect((await service.get('/api/v1/relayers')).body.data).toEqual([
        {
          id: 'cow',
          name: 'Cow',
          network: 'sepolia',
          network_type: 'evm',
          address: COW_ADDRESS,
          signer_id: expect.any(String),
          paused: false,
          system_disabled: false,
        },
      ]);
    });

    it('returns why a relayer is disabled', async () => {
      await addRelayer(service, { id: 'one' });
      await addRelayer(service, { id: 'two' });
      const single = { type: 'RpcValidationFailed', details: 'RPC endpoint validation failed' } as const;
      const balance = { type: 'BalanceCheckFailed', details: 'Insufficient balance' } as const;
      await disable('one', single);
      await disable('two', { type: 'Multiple', details: [single, balance] });
      const { data } = (await service.get('/api/v1/relayers')).body;
      expect(data[0]).toMatchObject({ id: 'one', system_disabled: true, disabled_reason: single });
      expect(data[1].disabled_reason).toEqual({ type: 'Multiple', details: [single, balance] });
    });

    it('keeps the order of creation over all pages', async () => {
      const made: string[] = [];
      for (let i = 0; i < 25; i += 1) made.push((await addRelayer(service)).id);
      const pages = await Promise.all([1, 2, 3].map((page) => service.get(`/api/v1/relayers?page=${page}`)));
      expect(pages.flatMap((page) => page.body.data.map((relayer: { id: string }) => relayer.id))).toEqual(
        made,
      );
      expect(pages[2]?.body.pagination).toEqual({ current_page: 3, per_page: 10, total_items: 25 });
    });

    it.each([
      ['page=0&per_page=2', 2, { current_page: 1, per_page: 2, total_items: 3 }],
      ['page=2&per_page=2', 1, { current_page: 2, per_page: 2, total_items: 3 }],
      ['per_page=0', 0, { current_page: 1, per_page: 0, total_items: 3 }],
      ['page=9', 0, { current_page: 9, per_page: 10, total_items: 3 }],
      [
        'page=9007199254740991&per_page=1000',
        0,
        { current_page: 9007199254740991, per_page: 1000, total_items: 3 },
      ],
      ['other=1', 3, { current_page: 1, per_page: 10, total_items: 3 }],
    ])('paginates for ?%s', async (query, length, pagination) => {
      for (let i = 0; i < 3; i += 1) await addRelayer(service);
      const response = await service.get(`/api/v1/relayers?${query}`);
      expect(response.status).toBe(200);
      expect(response.body.data).toHaveLength(length);
      expect(response.body.pagination).toEqual(pagination);
    });
  });

  describe('PATCH /api/v1/relayers/{relayer_id}', () => {
    const patch = (body: unknown, id = 'cow') => service.patch(`/api/v1/relayers/${id}`, body);

    beforeEach(() => addRelayer(service, { id: 'cow', name: 'Cow' }));

    it('changes nothing for {}', async () => {
      const before = (await service.get('/api/v1/relayers')).body.data[0];
      const response = await patch({});
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ success: true, data: before, error: null });
    });

    it('counts the length of a name in characters, not in UTF-16 code units', async () => {
      const longest = '🐄'.repeat(255);
      expect((await patch({ name: longest })).body.data.name).toBe(longest);
      expect((await service.get('/api/v1/relayers/cow')).body.data.name).toBe(longest);
      expect((await patch({ name: `${longest}x` })).body.error).toBe(
        'name must be a string of 1 to 255 characters without control characters',
      );
    });

    it('sets name and paused, and keeps the name for null', async () => {
      expect((await patch({ name: 'Calf', paused: true })).body.data).toMatchObject({
        name: 'Calf',
        paused: true,
      });
      expect((await patch({ name: null })).body.data).toMatchObject({ name: 'Calf', paused: true });
      expect((await patch({ paused: false })).body.data).toMatchObject({ name: 'Calf', paused: false });
      expect((await service.get('/api/v1/relayers')).body.data[0]).toMatchObject({
        name: 'Calf',
        paused: false,
      });
    });

    it('links and unlinks a notification', async () => {
      await service.post('/api/v1/notifications', { id: 'hook', url: 'https://hooks.example.com' });
      expect((await patch({ notification_id: 'hook' })).body.data.notification_id).toBe('hook');
      expect((await patch({ name: 'Other' })).body.data.notification_id).toBe('hook');
      expect((await patch({ notification_id: null })).body.data).not.toHaveProperty('notification_id');
    });

    it('responds with 404 for an unknown notification and changes nothing', async () => {
      const response = await patch({ name: 'Lost', notification_id: 'nowhere' });
      expect(response.status).toBe(404);
      expect(response.body).toEqual({
        success: false,
        data: null,
        error: 'Notification not found',
        message: 'Notification not found',
      });
      expect((await service.get('/api/v1/relayers')).body.data[0].name).toBe('Cow');
    });

    it.each(['nobody', 'x'.repeat(37), 'with%20space', 'a%00b', '%F0%9F%90%84'])(
      'responds with 404 for relayer %s',
      async (id) => {
        const response = await patch({ paused: true }, id);
        expect(response.status).toBe(404);
        expect(response.body.message).toBe(`Relayer with ID ${decodeURIComponent(id)} not found`);
      },
    );

    it('treats ids as case-sensitive', async () => {
      expect((await patch({ paused: true }, 'COW')).status).toBe(404);
    });

    it('masks RPC URLs, stores them encrypted, replaces the list, and removes it for null', async () => {
      const key = service.keepSecret('provider-key-42');
      const urls = [
        { url: `https://user:${key}@rpc.example.com:8443/v2/${key}?k=${key}` },
        { url: 'http://node', weight: 0 },
      ];
      expect((await patch({ custom_rpc_urls: urls })).body.data.custom_rpc_urls).toEqual([
        { url: 'https://rpc.example.com:8443/***', weight: 100 },
        { url: 'http://node', weight: 0 },
      ]);
      const rows: { custom_rpc_urls: string }[] = await service.app
        .get(DataSource)
        .query('SELECT custom_rpc_urls FROM relayers');
      expect(rows[0]?.custom_rpc_urls).toMatch(/^v1\.[0-9a-f]{12}\.[A-Za-z0-9+/=]+$/);
      expect(
        (await patch({ custom_rpc_urls: [{ url: 'https://one.example.com/x' }] })).body.data.custom_rpc_urls,
      ).toHaveLength(1);
      expect((await patch({ custom_rpc_urls: null })).body.data).not.toHaveProperty('custom_rpc_urls');
    });

    it('merges policies field by field', async () => {
      const first = { gas_price_cap: 5, min_balance: '7', eip1559_pricing: true };
      expect((await patch({ policies: first })).body.data.policies).toEqual({ ...first, min_balance: 7 });
      expect(
        (await patch({ policies: { min_balance: null, include_revert_data: true } })).body.data.policies,
      ).toEqual({
        gas_price_cap: 5,
        eip1559_pricing: true,
        include_revert_data: true,
      });
      expect((await patch({ policies: {} })).body.data.policies).toHaveProperty('gas_price_cap', 5);
      expect((await patch({ policies: null })).body.data).not.toHaveProperty('policies');
    });

    it.each([
      [0, 0],
      [9007199254740991, 9007199254740991],
      ['9007199254740991', 9007199254740991],
      ['9007199254740992', '9007199254740992'],
      ['340282366920938463463374607431768211455', '340282366920938463463374607431768211455'],
    ])('stores min_balance %p exactly', async (sent, shown) => {
      await patch({ policies: { min_balance: sent, gas_price_cap: sent } });
      const { policies } = (await service.get('/api/v1/relayers')).body.data[0];
      expect(policies).toEqual({ min_balance: shown, gas_price_cap: shown });
    });

    it('stores whitelisted receivers as checksummed addresses', async () => {
      const response = await patch({ policies: { whitelist_receivers: [COW_ADDRESS.toLowerCase()] } });
      expect(response.body.data.policies.whitelist_receivers).toEqual([COW_ADDRESS]);
    });

    it('stores the policies of Solana and Stellar, and refuses those of another network type', async () => {
      await addRelayer(service, { id: 'sol', networkType: 'solana', network: 'devnet' });
      await addRelayer(service, {
        id: 'xlm',
        networkType: 'stellar',
        network: 'testnet',
        policies: { fee_payment_strategy: 'relayer' },
      });
      const solana = { max_signatures: 5, min_balance: '18446744073709551615', fee_payment_strategy: 'user' };
      expect((await patch({ policies: solana }, 'sol')).body.data).toMatchObject({
        address: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
        policies: solana,
      });
      const stellar = await patch(
        { policies: { max_fee: 100, allowed_tokens: [{ asset: 'native' }] } },
        'xlm',
      );
      expect(stellar.body.data).toMatchObject({
        address: expect.stringMatching(/^G[A-Z2-7]{55}$/),
        policies: { fee_payment_strategy: 'relayer', max_fee: 100, allowed_tokens: [{ asset: 'native' }] },
      });
      const refused = await patch({ policies: { gas_price_cap: 1 } }, 'sol');
      expect(refused.status).toBe(400);
      expect(refused.body.error).toBe('policies.gas_price_cap is not a known field');
      const reset = await patch({ policies: null }, 'xlm');
      expect(reset.body.error).toBe('policies.fee_payment_strategy is required and must be user or relayer');
    });

    it('updates a relayer that the system disabled, and warns that it is still disabled', async () => {
      await disable('cow', { type: 'NonceSyncFailed', details: 'Nonce synchronization failed' });
      const response = await patch({ paused: false, custom_rpc_urls: [{ url: 'https://rpc.example.com' }] });
      expect(response.status).toBe(200);
      expect(response.body.data).toMatchObject({ system_disabled: true });
      expect(response.body.metadata).toEqual({
        logs: [{ level: 'warn', message: expect.stringContaining('still disabled by the system') }],
        traces: [],
      });
    });
  });
});
