import { DataSource } from 'typeorm';
import type { DisabledReason } from '../../src/relayers/disabled-reason';
import { type TestApplication } from './application';
import { addRelayer } from './builders';
import { type JsonRpcNode } from './json-rpc-node';

export const CHAIN_ID = 424_242;

/** Networks and relayers of a service whose only node is scripted. */
export class ChainFixture {
  private made = 0;

  constructor(
    private readonly service: TestApplication,
    private readonly node: () => JsonRpcNode,
  ) {}

  /** @returns the name */
  async makeNetwork(rpc_urls: unknown[] = [this.node().url]): Promise<string> {
    const name = `net-${(this.made += 1)}`;
    const body = { name, network_type: 'evm', chain_id: CHAIN_ID, rpc_urls };
    expect((await this.service.post('/api/v1/networks', body)).status).toBe(201);
    return name;
  }

  async makeRelayer(network?: string): Promise<{ id: string; path: string; network: string }> {
    const relayer = await addRelayer(this.service, { network: network ?? (await this.makeNetwork()) });
    return { id: relayer.id, network: relayer.network, path: `/api/v1/relayers/${relayer.id}` };
  }

  async disable(id: string, reason?: DisabledReason): Promise<void> {
    await this.service.app
      .get(DataSource)
      .query('UPDATE relayers SET system_disabled = 1, disabled_reason = ? WHERE id = ?', [
        reason ? JSON.stringify(reason) : null,
        id,
      ]);
  }
}
