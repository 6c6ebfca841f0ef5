import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';
import { apiKey, storageKey } from '../support/keys';

const KEY = 'ab'.repeat(32);
const PATH = '/api/v1/relayers/pay';
const TIGHT = { transactions: { max_value: '1' }, whitelist_receivers: [] };
const WITHHELD = /A relayer of the configuration file.* was deleted: create it over the API/;
const PAY = {
  id: 'pay',
  name: 'Pay',
  network: 'sepolia',
  network_type: 'evm',
  signer_id: 's',
  paused: false,
};

describeService(
  'A relayer of the configuration file that was deleted',
  { startFor: 'none' },
  ({ service, database }) => {
    let folder: string;
    let CONFIG_FILE: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'relayer-approvals-'));
      CONFIG_FILE = join(folder, 'config.json');
      write([PAY]);
    });

    afterEach(() => {
      rmSync(folder, { recursive: true });
    });

    const write = (relayers: object[]): void => {
      const signers = [{ id: 's', type: 'plain', config: { key: { type: 'env', value: 'PLAIN_KEY' } } }];
      const notifications = [{ id: 'ops', type: 'webhook', url: 'https://hooks.example.com' }];
      writeFileSync(CONFIG_FILE, JSON.stringify({ relayers, signers, notifications }));
    };

    const settings = (approvals?: string): Record<string, string> => ({
      ...{ STORAGE_ENCRYPTION_KEY: storageKey(3), API_KEY: apiKey('provisioning'), CONFIG_FILE },
      PLAIN_KEY: KEY,
      ...(approvals && { APPROVALS: approvals }),
    });

    const restart = async (approvals?: string): Promise<void> => {
      if (service.isOpen) await service.close();
      await service.start(database, settings(approvals));
      service.keepSecret(KEY);
    };

    /** The ids of the relayers, and of those that the start has withheld. */
    const outcome = async () => {
      const { body } = await service.get('/api/v1/relayers');
      const lines = service.logs.filter((line) => WITHHELD.test(line));
      return {
        stored: (body.data as { id: string }[]).map(({ id }) => id),
        withheld: lines.map((line) => (JSON.parse(line) as { relayer_id: string }).relayer_id),
      };
    };

    const remove = async (path = PATH): Promise<void> => {
      expect((await service.call({ method: 'DELETE', path })).status).toBe(200);
    };

    it.each(['loosen_policy=2,api_key_scope=2', 'unpause=2,api_key_scope=2'])(
      'is not created again with APPROVALS=%s, except over the API with approval',
      async (approvals) => {
        await restart(approvals);
        expect(await outcome()).toEqual({ stored: ['pay'], withheld: [] });
        const body = { paused: true, policies: TIGHT };
        expect((await service.patch(PATH, body)).status).toBe(200);
        const requester = await KeyHolder.add(service);
        const approvers = [await KeyHolder.add(service), await KeyHolder.add(service)];
        expect((await requester.call('DELETE', PATH)).status).toBe(200);

        for (let starts = 1; starts <= 2; starts += 1) {
          await restart(approvals);
          expect(await outcome()).toEqual({ stored: [], withheld: ['pay'] });
        }
        const created = await requester.call('POST', '/api/v1/relayers', PAY);
        expect(created.status).toBe(202);
        for (const approver of approvers) await approver.approve(created.body.data.id as string);
        await restart(approvals);
        expect(await outcome()).toEqual({ stored: ['pay'], withheld: [] });
      },
    );

    it('is not created again for its account, under another id', async () => {
      const approvals = 'loosen_policy=1,api_key_scope=1';
      await restart(approvals);
      await remove();
      write([{ ...PAY, id: 'payments' }]);
      await restart(approvals);
      expect(await outcome()).toEqual({ stored: [], withheld: ['payments'] });
      // The same key has another account on another chain.
      write([{ ...PAY, id: 'payments', network: 'mainnet' }]);
      await restart(approvals);
      expect(await outcome()).toEqual({ stored: ['payments'], withheld: [] });
    });

    it('is not created again by its id, for the API keys that name it', async () => {
      await restart('api_key_scope=1');
      await remove();
      await KeyHolder.add(service, { relayers: ['pay'] });
      await restart('api_key_scope=1');
      expect(await outcome()).toEqual({ stored: [], withheld: ['pay'] });
    });

    it('is not created again if another relayer has its account now, and the service starts', async () => {
      await restart();
      await remove();
      expect((await service.post('/api/v1/relayers', { ...PAY, id: 'other' })).status).toBe(201);
      await restart('unpause=1,api_key_scope=1');
      expect(await outcome()).toEqual({ stored: ['other'], withheld: ['pay'] });
    });

    it('is not created again even if its row had been altered', async () => {
      await restart('loosen_policy=1,api_key_scope=1');
      await service.app.get(DataSource).query("UPDATE relayers SET name = 'Other' WHERE id = 'pay'");
      await remove();
      await restart('loosen_policy=1,api_key_scope=1');
      expect(await outcome()).toEqual({ stored: [], withheld: ['pay'] });
    });

    it('is created again without APPROVALS, and if creating it would need none', async () => {
      for (const approvals of [undefined, 'unfreeze=1', 'signer_delete=1,api_key_scope=1']) {
        await restart(approvals);
        expect(await outcome()).toEqual({ stored: ['pay'], withheld: [] });
        await remove();
      }
    });

    it('does not keep its notification from being created again, or its signer once the deletion was approved', async () => {
      const approvals = 'loosen_policy=1,signer_delete=1,api_key_scope=1';
      await restart(approvals);
      const requester = await KeyHolder.add(service);
      const approver = await KeyHolder.add(service);
      await remove();
      await remove('/api/v1/notifications/ops');
      const deletion = await requester.call('DELETE', '/api/v1/signers/s');
      expect(deletion.status).toBe(202);
      expect((await approver.approve(deletion.body.data.id as string)).body.data.status).toBe('applied');
      await restart(approvals);
      expect(await outcome()).toEqual({ stored: [], withheld: ['pay'] });
      for (const path of ['/api/v1/notifications/ops', '/api/v1/signers/s'])
        expect((await service.get(path)).status).toBe(200);
    });
  },
);
