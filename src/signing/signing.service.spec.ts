import { Registry } from 'prom-client';
import { EventLoopTurns } from '../common/event-loop/event-loop-turns';
import type { NetworksService } from '../networks/networks.service';
import type { RelayersService } from '../relayers/relayers.service';
import type { SignersService } from '../signers/signers.service';
import type { SignatureEvents } from './signature-events';
import { SigningMetrics } from './signing.metrics';
import { SigningService } from './signing.service';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };

describe('SigningService', () => {
  it('counts no item of a batch that was not answered', async () => {
    const registry = new Registry();
    const record = jest.fn().mockRejectedValue(new Error('The database is away'));
    const service = new SigningService(
      {
        requireActive: () => Promise.resolve({ networkType: 'evm', policies: {} }),
      } as unknown as RelayersService,
      {} as NetworksService,
      { signDigest: () => Promise.resolve({ r: '', s: '', v: 27 }) } as unknown as SignersService,
      new EventLoopTurns(),
      { record } as unknown as SignatureEvents,
      new SigningMetrics(registry),
    );
    await expect(service.signTypedDataBatch('relayer', [HASHES])).rejects.toThrow('The database is away');
    expect(await registry.metrics()).not.toContain('outcome="success"');
    record.mockResolvedValue(undefined);
    await service.signTypedDataBatch('relayer', [HASHES]);
    expect(await registry.metrics()).toContain('signing_batch_items_total{outcome="success"} 1');
  });
});
