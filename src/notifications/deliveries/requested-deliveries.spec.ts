import type { ConfigService } from '@nestjs/config';
import type { AuditLog } from '../../audit/audit-log';
import type { OngoingAccess } from '../../access/ongoing-access';
import { DomainError } from '../../common/errors/domain-error';
import type { AppConfig } from '../../config/app-config';
import type { SparsePart } from '../../database/sparse-pages';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { DeliveryHistory } from './delivery-history';
import { RequestedDeliveries } from './requested-deliveries';

const REVOKED = new DomainError('unauthorized', 'Unauthorized');

/** Deliveries of one relayer that a key reaches, and of another one that it no longer reaches after the first batch. */
class Fixture {
  dead = [...Array.from({ length: 700 }, () => 'kept'), ...Array.from({ length: 700 }, () => 'lost')];
  batches = 0;
  recheck: () => Promise<void> | undefined = () => undefined;
  private readonly reached = () => (this.batches === 0 ? ['kept', 'lost'] : ['kept']);
  private readonly oldest = (count: number): SparsePart => {
    const found = this.dead.filter((relayer) => this.reached().includes(relayer)).slice(0, count);
    return { positions: found.map((id) => ({ id, createdAt: new Date(0) })), end: undefined };
  };
  private readonly deliveries = {
    update: ({ id }: { id: { value: string[] } }) => {
      this.batches += 1;
      for (const relayer of id.value) this.dead.splice(this.dead.indexOf(relayer), 1);
      return Promise.resolve({ affected: id.value.length });
    },
  };
  readonly requested = new RequestedDeliveries(
    {
      run: <T>(work: () => Promise<T>) => work(),
      repository: () => this.deliveries,
    } as unknown as UnitOfWork,
    {} as never,
    {
      oldestAfter: (...[, , count]) => Promise.resolve(this.oldest(count)),
      reachableOf: (notificationId) => Promise.resolve({ notificationId }),
    } as Pick<DeliveryHistory, 'oldestAfter' | 'reachableOf'> as DeliveryHistory,
    {} as never,
    {} as never,
    { recheck: () => this.recheck() } as unknown as OngoingAccess,
    { record: () => Promise.resolve() } as unknown as AuditLog,
    { get: () => ({ retryForMs: 1 }) } as unknown as ConfigService<AppConfig, true>,
  );
}

describe('RequestedDeliveries', () => {
  it('replays no further batch once the key is revoked', async () => {
    const fixture = new Fixture();
    fixture.recheck = () => (fixture.batches === 0 ? undefined : Promise.reject(REVOKED));
    await expect(fixture.requested.replayDead('n', new Date())).rejects.toBe(REVOKED);
    expect([fixture.batches, fixture.dead.length]).toEqual([1, 900]);
  });

  it('replays nothing if the key is revoked while the transaction waits for its turn', async () => {
    const fixture = new Fixture();
    let checks = 0;
    fixture.recheck = () => ((checks += 1) === 1 ? undefined : Promise.reject(REVOKED));
    await expect(fixture.requested.replayDead('n', new Date())).rejects.toBe(REVOKED);
    expect([fixture.batches, fixture.dead.length]).toEqual([0, 1400]);
  });

  it('replays no delivery of a relayer that the key can no longer reach', async () => {
    const fixture = new Fixture();
    expect(await fixture.requested.replayDead('n', new Date())).toEqual({ replayed: 700, more: false });
    expect(fixture.dead).toEqual(Array.from({ length: 700 }, () => 'lost'));
  });
});
