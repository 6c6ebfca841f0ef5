import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { RelayerEntity } from '../../src/relayers/relayer.entity';
import type { TestApplication } from './application';

export const CHAIN_ID = 424_242;
/** Only the test checks relayers. */
export const BY_HAND = { enabled: false, intervalMs: 60_000 };
/** Fast enough for a test. What is tested does not depend on the durations. */
export const QUICK = { enabled: true, intervalMs: 300, retryMs: [100], firstCheckMs: 5000, earlyMs: 0 };

export interface StateEvent {
  payload_type: string;
  relayer: { id: string; system_disabled: boolean; disabled_reason?: object };
  disable_reason?: string;
  retry_count?: number;
}

/** Creates the notification `hook` and the network `devnet`, and relayers on it, over HTTP. */
export class CheckedRelayers {
  constructor(private readonly service: TestApplication) {}

  async prepare(rpc_urls: string[]): Promise<void> {
    await this.post('notifications', { id: 'hook', url: 'http://127.0.0.1:9/hook' });
    const network = { name: 'devnet', network_type: 'evm', chain_id: CHAIN_ID, rpc_urls };
    await this.post('networks', network);
  }

  /** Creates a relayer. @returns the response */
  async make(more: object = {}): Promise<{ id: string; system_disabled: boolean; disabled_reason?: object }> {
    const signer_id = `s-${randomBytes(4).toString('hex')}`;
    const key = this.service.keepSecret(randomBytes(32).toString('hex'));
    await this.post('signers', { id: signer_id, type: 'plain', config: { key } });
    return this.post('relayers', {
      name: 'R',
      network: 'devnet',
      network_type: 'evm',
      paused: false,
      signer_id,
      notification_id: 'hook',
      ...more,
    });
  }

  async row(id: string): Promise<RelayerEntity> {
    return this.service.app.get(UnitOfWork).repository(RelayerEntity).findOneByOrFail({ id });
  }

  async change(id: string, columns: Partial<RelayerEntity>): Promise<void> {
    await this.service.app
      .get(UnitOfWork)
      .repository(RelayerEntity)
      .update({ id }, columns as object);
  }

  /** Waits for a state. @param type the type of the reason, or undefined for an enabled relayer */
  async until(id: string, type: string | undefined): Promise<void> {
    const isSo = async (): Promise<boolean> => {
      const { systemDisabled, disabledReason } = await this.row(id);
      return systemDisabled === (type !== undefined) && disabledReason?.type === type;
    };
    const end = Date.now() + 30_000;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`The relayer did not become ${type ?? 'enabled'} within 30 s`);
      await sleep(20);
    }
  }

  /** The events about disabled and enabled relayers that the notification is to receive, in chronological order. */
  async events(): Promise<StateEvent[]> {
    const events = this.service.app.get(UnitOfWork).repository(DeliveryEntity);
    const rows = await events.find({ where: { event: 'relayer_state_update' }, order: { createdAt: 'ASC' } });
    return rows.map(({ payload }) => payload as StateEvent);
  }

  async kinds(): Promise<string[]> {
    return (await this.events()).map(({ payload_type }) => payload_type);
  }

  private async post(resource: string, body: object) {
    const response = await this.service.post(`/api/v1/${resource}`, body);
    expect(response.body).toMatchObject({ success: true });
    return response.body.data;
  }
}
